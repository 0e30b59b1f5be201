/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request that sshare sends to slurmctld. The doubles come at full precision, raw usage as a
 * truncated integer.
 *
 * No version of libslurm has this call in its public headers. The library exports what is needed
 * (from 23.11 on slurm_associations_get_shares(), before that the general message functions); the
 * structs are declared here only.
 */
#include "adapters/slurm/helper/load.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "adapters/slurm/helper/compat.h"
#include "config.h"
#include "core/base/mem.h"

/* One row of the answer; the same from 20.11 to 26.05 (verified there on x86-64). */
struct private_row {
	uint32_t assoc_id;
	char *cluster, *name, *parent, *partition;
	double shares_norm;
	uint32_t shares_raw;
	uint64_t *tres_run_secs, *tres_grp_mins;
	double usage_efctv, usage_norm;
	uint64_t usage_raw;
	long double *usage_tres_raw;
	double fs_factor, level_fs;
	uint16_t user;
};

struct private_answer {
	struct xlist *rows;
	uint64_t tot_shares;
	uint32_t tres_cnt;
	char **tres_names;
};

struct private_question {
	struct xlist *accounts, *users;		/* NULL: all */
};

void slurm_free_shares_response_msg(void *answer);

#ifdef HAVE_SLURM_ASSOCIATIONS_GET_SHARES	/* since 23.11 */

int slurm_associations_get_shares(struct private_question *question,
				  struct private_answer **answer);

bool shares_known(void)
{
	return true;
}

static int shares_ask(struct private_answer **answer)
{
	struct private_question all = { NULL, NULL };

	errno = 0;
	return slurm_associations_get_shares(&all, answer) == SLURM_SUCCESS ? 0 : compat_errno();
}

#else

/* slurm_msg_t from 20.11 to 22.05: 376 bytes, of which two members are used. */
#define MESSAGE_SIZE 376
#define MESSAGE_DATA 184		/* void * */
#define MESSAGE_TYPE 200		/* uint16_t */
#define REQUEST_SHARE_INFO 2022
#define RESPONSE_SHARE_INFO 2023
#define LIBRARY_2011 36			/* libslurm.so.36 */
#define LIBRARY_2205 38
#define RESPONSE_SLURM_RC 8001		/* its data begins with uint32_t return_code */

union message {
	unsigned char bytes[MESSAGE_SIZE + 128];	/* reserve, if the size is wrong */
	max_align_t align;
};

void slurm_msg_t_init(union message *message);
int slurm_send_recv_controller_msg(union message *question, union message *answer, void *cluster);
void slurm_free_return_code_msg(void *data);

bool shares_known(void)
{
	long library = slurm_api_version() >> 16;

	return sizeof(void *) == 8 && library >= LIBRARY_2011 && library <= LIBRARY_2205;
}

static int take_return_code(void *data)
{
	uint32_t code = *(const uint32_t *)data;

	slurm_free_return_code_msg(data);
	return code != 0 ? (int)code : SLURM_UNEXPECTED_MSG_ERROR;
}

static int shares_ask(struct private_answer **answer)
{
	struct private_question all = { NULL, NULL };
	void *data = &all;
	union message question, reply;
	uint16_t type = REQUEST_SHARE_INFO;

	if (!shares_known())
		return ENOTSUP;
	slurm_msg_t_init(&question);
	slurm_msg_t_init(&reply);
	memcpy(question.bytes + MESSAGE_DATA, &data, sizeof(data));
	memcpy(question.bytes + MESSAGE_TYPE, &type, sizeof(type));
	errno = 0;
	if (slurm_send_recv_controller_msg(&question, &reply, NULL) < 0)
		return compat_errno();
	memcpy(&data, reply.bytes + MESSAGE_DATA, sizeof(data));
	memcpy(&type, reply.bytes + MESSAGE_TYPE, sizeof(type));
	if (type == RESPONSE_SLURM_RC)
		return take_return_code(data);
	if (type != RESPONSE_SHARE_INFO)
		return SLURM_UNEXPECTED_MSG_ERROR;
	*answer = data;
	return 0;
}

#endif

static void shares_take_row(struct share_row *to, const struct private_row *from)
{
	to->id = from->assoc_id;
	to->user = from->user != 0;
	to->name = from->name;
	to->parent = from->parent;
	to->partition = from->partition;
	to->shares = from->shares_raw;
	to->usage = from->usage_raw;
	to->norm_shares = from->shares_norm;
	to->norm_usage = from->usage_norm;
	to->effective_usage = from->usage_efctv;
	to->fairshare = from->fs_factor;
	to->level_fs = from->level_fs;
}

int shares_load(struct shares *s)
{
	struct private_answer *answer = NULL;
	struct listIterator *i;
	struct private_row *row;
	int error = shares_ask(&answer);

	if (error != 0)
		return error;
	shares_free(s);
	if (!answer)
		return 0;
	s->message = answer;
	s->tres_count = answer->tres_cnt;
	s->tres_names = answer->tres_names;
	if (!answer->rows)
		return 0;
	s->rows = mem_zalloc((size_t)slurm_list_count(answer->rows), sizeof(*s->rows));
	i = slurm_list_iterator_create(answer->rows);
	while ((row = slurm_list_next(i)))
		shares_take_row(&s->rows[s->count++], row);
	slurm_list_iterator_destroy(i);
	return 0;
}

void shares_free(struct shares *s)
{
	if (s->message)
		slurm_free_shares_response_msg(s->message);
	mem_free(s->rows);
	memset(s, 0, sizeof(*s));
}

_Static_assert(sizeof(void *) != 8 || sizeof(struct private_row) == 128,
	       "the row of the shares call as libslurm has it");
_Static_assert(sizeof(void *) != 8 || offsetof(struct private_row, usage_tres_raw) == 0x60,
	       "where slurm_destroy_assoc_shares_object() frees");
