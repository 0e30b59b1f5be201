/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * act: the functions of the commands table, one per command, grouped in act_*.c.
 *
 * Each changes the state and leaves its effects in a->effects; false and ERR_INPUT if the arguments
 * are wrong. Messages go through app_say().
 */
#ifndef FAIRTOP_TUI_ACTS_ACT_H
#define FAIRTOP_TUI_ACTS_ACT_H

#include "tui/cells/command.h"
#include "tui/rows/state.h"

/* Most use only one or two of these parameters. */
#define ACT(name) \
	bool name(struct app *a, __attribute__((unused)) const char *line, \
		  __attribute__((unused)) const struct words *words, \
		  __attribute__((unused)) struct err *err)

ACT(act_down);
ACT(act_up);
ACT(act_page_down);
ACT(act_page_up);
ACT(act_half_page_down);
ACT(act_half_page_up);
ACT(act_row);
ACT(act_show);
ACT(act_top);
ACT(act_bottom);
ACT(act_column_left);
ACT(act_column_right);
ACT(act_column);
ACT(act_sort_column);
ACT(act_filter_cell);
ACT(act_search);
ACT(act_search_next);
ACT(act_search_previous);
ACT(act_next_pane);
ACT(act_maximize);
ACT(act_fold);
ACT(act_unfold);
ACT(act_fold_all);
ACT(act_fold_subtree);
ACT(act_fold_depth);
ACT(act_deeper);
ACT(act_shallower);
ACT(act_parent);
ACT(act_next_sibling);
ACT(act_previous_sibling);
ACT(act_details);
ACT(act_why);
ACT(act_explain);
ACT(act_mark);
ACT(act_unmark_all);
ACT(act_compare);
ACT(act_go_across);
ACT(act_terms);
ACT(act_equivalence);
ACT(act_exclude);
ACT(act_follow);
ACT(act_copy);
ACT(act_copy_what);
ACT(act_alarm);
ACT(act_alarms);
ACT(act_backtest);
ACT(act_filter);
ACT(act_mine);
ACT(act_sort);
ACT(act_sort_left);
ACT(act_sort_right);
ACT(act_invert);
ACT(act_flat);
ACT(act_columns);
ACT(act_wide);
ACT(act_what_if);
ACT(act_base);
ACT(act_edit);
ACT(act_change);
ACT(act_undo);
ACT(act_redo);
ACT(act_beside);
ACT(act_movers);
ACT(act_next_set);
ACT(act_save_edits);
ACT(act_load_edits);
ACT(act_export);
ACT(act_lint);
ACT(act_forecast);
ACT(act_seek);
ACT(act_freeze);
ACT(act_refresh);
ACT(act_earlier);
ACT(act_later);
ACT(act_earlier_minute);
ACT(act_later_minute);
ACT(act_earlier_hour);
ACT(act_later_hour);
ACT(act_earlier_day);
ACT(act_later_day);
ACT(act_go_to);
ACT(act_now);
ACT(act_play);
ACT(act_faster);
ACT(act_slower);
ACT(act_history);
ACT(act_difference);
ACT(act_timeline);
ACT(act_zoom_in);
ACT(act_zoom_out);
ACT(act_accounts);
ACT(act_jobs);
ACT(act_pools);
ACT(act_classes);
ACT(act_policy);
ACT(act_save);
ACT(act_last_view);
ACT(act_source);
ACT(act_help);
ACT(act_tour);
ACT(act_command);
ACT(act_palette);
ACT(act_theme);
ACT(act_mouse);
ACT(act_redraw);
ACT(act_reset);
ACT(act_back);
ACT(act_quit);
ACT(act_set);
ACT(act_write);
ACT(act_workspace);
ACT(act_keep_workspace);
ACT(act_bind);
ACT(act_unbind);
ACT(act_color);
ACT(act_account);
ACT(act_clusters);
ACT(act_cluster);

/* ---- shared functions ---------------------------------------------------------------------- */

/* Resets every view to its defaults; whatif_show() shows the result. */
void app_reset(struct app *a);

/* NAME in double quotes for filters, with quotes and backslashes escaped. */
void app_quote(char *buf, size_t size, const char *name);
bool app_set_filter(struct app *a, enum view_id view, const char *text, struct err *err);
/* For a filter being typed: applies it to the open view if any row matches; else false. */
bool app_try_filter(struct app *a, const char *text);

/* Shows the jobs of a class in the jobs view. */
bool class_to_jobs(struct app *a, uint32_t row, struct err *err);

/*
 * Searches by name (search.c): the next match from ROW on in DIRECTION, ROW_NONE if there is none.
 */
uint32_t search_row(const struct app *a, const char *text, uint32_t row, int direction,
		    bool inclusive);
/* Reports ROW's number among the matches, and whether the search from FROM passed the end. */
void search_tell(struct app *a, const char *text, uint32_t from, uint32_t row, int direction);

/* Prepares a prompt for a search or a filter: Esc restores the former state. */
void app_begin_typing(struct app *a);

#endif
