/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_json: what Slurm's JSON has in common, from its commands (--json) and from slurmrestd.
 *
 * The layout changes with each version of the data parser. A number is plain (null when unset) up
 * to 22.05, and for shares up to v0.0.41; else it is {"set": true, "infinite": false, "number": 5}.
 * A state became a list of words. So each value is recognised by its form; a value of an unexpected
 * form is unknown. Plain shares use Infinity (not valid JSON) and 4294967294.0 for unset; since
 * v0.0.43 an infinite share is 2^64.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_TEXT_JSON_H
#define FAIRTOP_ADAPTERS_SLURM_TEXT_JSON_H

#include "adapters/slurm/text_reader.h"
#include "core/base/json_pull.h"

/* A value read as either: NaN if it is not a number, "" if it is not a text. */
struct json_value {
	double number;
	struct slice text;		/* borrowed: valid while R's texts are */
};

/* Reads the next value as a whole; of a list of texts it gives the last. */
void json_value_read(struct pull *p, struct json_value *out);

/*
 * Sets FIELD, a number, of ROW to X, known or infinite, times FACTOR if it is a time. A number that
 * the field cannot hold stays unknown.
 */
void json_put_number(struct slurm_reader *r, enum field field, int factor, double x, uint32_t row);

/*
 * Calls ROW for each object of the list NAME; ROW reads it to its end. The list is a member of the
 * document, or of a member of the same name ("shares"). False on an error of the text, or as soon
 * as ROW returns false.
 */
typedef bool json_row(struct slurm_reader *r, struct pull *p, void *context);
bool json_rows(struct slurm_reader *r, const char *name, json_row *row, void *context);

#endif
