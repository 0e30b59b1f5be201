/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/acts/commands.h"

#include <string.h>

#include "tui/acts/act.h"

const char *const context_names[CONTEXT_COUNT] = {
	[CONTEXT_ALL] = "all", [CONTEXT_ACCOUNTS] = "accounts", [CONTEXT_JOBS] = "jobs",
	[CONTEXT_POOLS] = "pools", [CONTEXT_CLASSES] = "classes", [CONTEXT_POLICY] = "policy",
};

enum key_context context_of_view(enum view_id view)
{
	static const enum key_context contexts[VIEW_COUNT] = {
		[VIEW_ACCOUNTS] = CONTEXT_ACCOUNTS, [VIEW_JOBS] = CONTEXT_JOBS,
		[VIEW_POOLS] = CONTEXT_POOLS,	    [VIEW_CLASSES] = CONTEXT_CLASSES,
		[VIEW_POLICY] = CONTEXT_POLICY,
	};

	return contexts[view];
}

const char *const section_titles[SECTION_COUNT] = {
	[SECTION_MOVE] = "Moving", [SECTION_TREE] = "The tree", [SECTION_LOOK] = "Looking closer",
	[SECTION_SELECT] = "What is shown", [SECTION_WHATIF] = "What-if",
	[SECTION_TIME] = "Time",
	[SECTION_PROGRAM] = "The program", [SECTION_SETTINGS] = "Settings",
};

const char *const hint_words[] = {
	"search", "open", "explain", "terms", "exclude", "group", "what-if", "filter", "sort",
	"views", "column", "mark", "over time", "freeze", "command", NULL
};

#define ALL CONTEXT_ALL
#define ACCOUNTS CONTEXT_ACCOUNTS

const struct command commands[] = {
	{ "down", "<Down> j", SECTION_MOVE, "[N]",
	  "go down a row", act_down, ALL, NULL },
	{ "up", "<Up> k", SECTION_MOVE, "[N]",
	  "go up a row", act_up, ALL, NULL },
	{ "page-down", "<PgDn> <C-f>", SECTION_MOVE, "",
	  "go down a page", act_page_down, ALL, NULL },
	{ "page-up", "<PgUp> <C-b>", SECTION_MOVE, "",
	  "go up a page", act_page_up, ALL, NULL },
	{ "top", "g <Home>", SECTION_MOVE, "",
	  "go to the first row", act_top, ALL, NULL },
	{ "bottom", "G <End>", SECTION_MOVE, "",
	  "go to the last row", act_bottom, ALL, NULL },
	{ "row", "", SECTION_MOVE, "N",
	  "go to the row of that number, as :40 does", act_row, ALL, NULL },
	{ "column-left", "H <S-Left>", SECTION_MOVE, "",
	  "go to the column to the left", act_column_left, ALL, "column" },
	{ "column-right", "L <S-Right>", SECTION_MOVE, "",
	  "go to the column to the right", act_column_right, ALL, "column" },
	{ "column", "", SECTION_MOVE, "COLUMN",
	  "go to a column", act_column, ALL, NULL },
	{ "search", "/ <F3>", SECTION_MOVE, "",
	  "find a name, or a word of the open box", act_search, ALL, "search" },
	{ "search-next", "n", SECTION_MOVE, "",
	  "go to the next match", act_search_next, ALL, NULL },
	{ "search-previous", "N", SECTION_MOVE, "",
	  "go to the match before", act_search_previous, ALL, NULL },
	{ "next-pane", "<Tab>", SECTION_MOVE, "",
	  "move between the view and its pane", act_next_pane, ALL, NULL },
	{ "maximize", "Z", SECTION_MOVE, "",
	  "give the whole screen to the pane, or make it small again", act_maximize, ALL, NULL },

	{ "fold", "<Left> h", SECTION_TREE, "",
	  "fold the account or array, or go to its parent", act_fold, ALL, NULL },
	{ "unfold", "<Right> l", SECTION_TREE, "",
	  "unfold the account or array, or go to its first member; show a class's jobs", act_unfold,
	  ALL, NULL },
	{ "fold-all", "*", SECTION_TREE, "",
	  "unfold everything, or fold everything", act_fold_all, ALL, NULL },
	{ "fold-subtree", "o", SECTION_TREE, "",
	  "unfold or fold all that is below the account", act_fold_subtree, ACCOUNTS, NULL },
	{ "fold-depth", "", SECTION_TREE, "DEPTH",
	  "unfold the tree down to a depth", act_fold_depth, ACCOUNTS, NULL },
	{ "deeper", "+", SECTION_TREE, "",
	  "unfold the whole tree one level deeper", act_deeper, ACCOUNTS, NULL },
	{ "shallower", "-", SECTION_TREE, "",
	  "fold the deepest level of the tree", act_shallower, ACCOUNTS, NULL },
	{ "parent", "p", SECTION_TREE, "",
	  "go to the parent account", act_parent, ACCOUNTS, NULL },
	{ "next-sibling", "J", SECTION_TREE, "",
	  "go to the next row of the same account", act_next_sibling, ACCOUNTS, NULL },
	{ "previous-sibling", "K", SECTION_TREE, "",
	  "go to the row before in the same account", act_previous_sibling, ACCOUNTS, NULL },

	{ "details", "<Enter>", SECTION_LOOK, "",
	  "show everything about the row", act_details, ALL, "open" },
	{ "explain", "e", SECTION_LOOK, "",
	  "show how the row came to its factor, step by step", act_explain, ACCOUNTS, "explain" },
	{ "why", "e", SECTION_LOOK, "",
	  "show how the job came to its priority, step by step", act_explain, CONTEXT_JOBS,
	  "explain" },
	{ "why-slots", "e", SECTION_LOOK, "",
	  "show how the queue came to its slots, step by step", act_explain, CONTEXT_POOLS,
	  "explain" },
	{ "why-class", "e", SECTION_LOOK, "",
	  "show what makes the class, and what it could merge with", act_explain,
	  CONTEXT_CLASSES, "explain" },
	{ "mark", "<Space>", SECTION_LOOK, "",
	  "mark the row, or take the mark away", act_mark, ALL, "mark" },
	{ "unmark-all", "U", SECTION_LOOK, "",
	  "take all marks away", act_unmark_all, ALL, NULL },
	{ "compare", "C", SECTION_LOOK, "",
	  "say why the marked row stands before or after this one", act_compare, ALL, NULL },
	{ "go-across", "x", SECTION_LOOK, "",
	  "go from a job to its account, from an account or a class to its jobs", act_go_across,
	  ALL, NULL },
	{ "terms", "%", SECTION_LOOK, "",
	  "show the terms of priorities in points, as factors, or in percent", act_terms,
	  CONTEXT_JOBS, "terms" },
	{ "exclude", "X", SECTION_LOOK, "[NAME,...]",
	  "leave resources out of the classes, as equiv_class_exclude does", act_exclude,
	  CONTEXT_CLASSES, "exclude" },
	{ "equivalence", "E", SECTION_LOOK, "",
	  "turn classes off or on, as equiv_class_enable does", act_equivalence, CONTEXT_CLASSES,
	  "group" },
	{ "follow", "F", SECTION_LOOK, "",
	  "keep the cursor on this row wherever it goes, until you move on", act_follow, ALL,
	  NULL },
	{ "copy", "y", SECTION_LOOK, "",
	  "copy the row's path, the job's number, or the cell of the column cursor", act_copy, ALL,
	  NULL },

	{ "filter", "f \\ <F4>", SECTION_SELECT, "[EXPR]",
	  "show only what matches; an empty one shows all", act_filter, ALL, "filter" },
	{ "filter-cell", "&", SECTION_SELECT, "",
	  "narrow the filter to this row's value in the column of the cursor", act_filter_cell,
	  ALL, NULL },
	{ "mine", "u", SECTION_SELECT, "",
	  "show only what is mine, or everything", act_mine, ALL, NULL },
	{ "sort", "<F6>", SECTION_SELECT, "[[-]COLUMN]",
	  "sort by a column (- descending), or choose one", act_sort, ALL, NULL },
	{ "sort-left", "<lt>", SECTION_SELECT, "",
	  "sort by the column to the left", act_sort_left, ALL, "sort" },
	{ "sort-right", ">", SECTION_SELECT, "",
	  "sort by the column to the right", act_sort_right, ALL, "sort" },
	{ "sort-column", "v", SECTION_SELECT, "",
	  "sort by the column of the cursor, or the other way round", act_sort_column, ALL, NULL },
	{ "invert", "I", SECTION_SELECT, "",
	  "sort the other way round", act_invert, ALL, NULL },
	{ "flat", "T", SECTION_SELECT, "",
	  "sort across all accounts, or inside each", act_flat, ACCOUNTS, NULL },
	{ "columns", "c <F2>", SECTION_SELECT, "[LIST]",
	  "choose the columns (+a adds, -a takes away, usual resets)", act_columns, ALL, NULL },
	{ "wide", "<C-w>", SECTION_SELECT, "",
	  "show all columns, or those from before", act_wide, ALL, NULL },

	{ "what-if", "w", SECTION_WHATIF, "",
	  "open the panel of what-if, or close it", act_what_if, ALL, "what-if" },
	{ "base", "b", SECTION_WHATIF, "",
	  "show the base, or the what-if again", act_base, ALL, NULL },
	{ "edit", "a", SECTION_WHATIF, "[EDIT]",
	  "add an edit: weight.age = 1000, shares:/physics = 60", act_edit, ALL, NULL },
	{ "change", "i", SECTION_WHATIF, "",
	  "set this row's value in the what-if: shares, nice, or the chosen column", act_change,
	  ALL, NULL },
	{ "undo", "<C-u>", SECTION_WHATIF, "",
	  "take the last edit back", act_undo, ALL, NULL },
	{ "redo", "<C-r>", SECTION_WHATIF, "",
	  "make the edit again that was taken back", act_redo, ALL, NULL },
	{ "movers", "M", SECTION_WHATIF, "",
	  "sort by who gains most, by who loses most, or as before", act_movers, ALL, NULL },
	{ "next-set", "A", SECTION_WHATIF, "[A-D [NAME]]",
	  "go to the next of four sets of edits, or to the named one", act_next_set, ALL, NULL },
	{ "beside", "B", SECTION_WHATIF, "",
	  "show what the other sets do to each row beside this one, or no longer", act_beside,
	  ALL, NULL },
	{ "lint", "d", SECTION_WHATIF, "",
	  "say what is wrong with the policy; Enter takes what mends it into the what-if",
	  act_lint, ALL, NULL },
	{ "forecast", "O", SECTION_WHATIF, "[F|- [now|none|RATE]]",
	  "show what becomes of this row's F, and when it reaches a value", act_forecast, ALL,
	  NULL },
	{ "seek", "R", SECTION_WHATIF, "F|RANK",
	  "find the edit that gives this row the F, or the job the rank", act_seek, ALL, NULL },
	{ "save-edits", "", SECTION_WHATIF, "FILE",
	  "write the set of edits to a file", act_save_edits, ALL, NULL },
	{ "load-edits", "", SECTION_WHATIF, "FILE",
	  "read a set of edits from a file", act_load_edits, ALL, NULL },
	{ "export", "W", SECTION_WHATIF, "[FILE [slurm|pbs|lsf] [inverse]]",
	  "write the commands of the what-if to a file; nothing is run", act_export, ALL, NULL },

	{ "freeze", "z", SECTION_TIME, "",
	  "stop the picture, or let it go on", act_freeze, ALL, "freeze" },
	{ "refresh", "r <F5>", SECTION_TIME, "",
	  "ask the source now", act_refresh, ALL, NULL },
	{ "earlier", "[", SECTION_TIME, "[STEP]",
	  "go back a picture, or N of them, or minute, hour, day, 15m", act_earlier, ALL, NULL },
	{ "later", "]", SECTION_TIME, "[STEP]",
	  "go on a picture, or N of them, or minute, hour, day, 15m", act_later, ALL, NULL },
	{ "earlier-minute", ",", SECTION_TIME, "",
	  "go back a minute", act_earlier_minute, ALL, NULL },
	{ "later-minute", ".", SECTION_TIME, "",
	  "go on a minute", act_later_minute, ALL, NULL },
	{ "earlier-hour", "{", SECTION_TIME, "",
	  "go back an hour", act_earlier_hour, ALL, NULL },
	{ "later-hour", "}", SECTION_TIME, "",
	  "go on an hour", act_later_hour, ALL, NULL },
	{ "earlier-day", "(", SECTION_TIME, "",
	  "go back a day", act_earlier_day, ALL, NULL },
	{ "later-day", ")", SECTION_TIME, "",
	  "go on a day", act_later_day, ALL, NULL },
	{ "go-to", "@", SECTION_TIME, "[TIME]",
	  "go to a time: 2h ago, 09:30, 2026-11-03 14:00", act_go_to, ALL, NULL },
	{ "now", "=", SECTION_TIME, "",
	  "go back to now, or to the end of the recording", act_now, ALL, NULL },
	{ "play", "P", SECTION_TIME, "[SPEED]",
	  "play the past, so much of it in a second (10m), or stop", act_play, ALL, NULL },
	{ "faster", "'", SECTION_TIME, "",
	  "play faster", act_faster, ALL, NULL },
	{ "slower", ";", SECTION_TIME, "",
	  "play slower", act_slower, ALL, NULL },
	{ "history", "6", SECTION_TIME, "[COLUMN,...]",
	  "draw the row, or the marked rows, over time; the column of the cursor alone",
	  act_history, ALL, "over time" },
	{ "difference", "D", SECTION_TIME, "[TIME]",
	  "show what changed since another time, or since the picture before", act_difference,
	  ALL, NULL },
	{ "timeline", "V", SECTION_TIME, "",
	  "show the time line also when this is now", act_timeline, ALL, NULL },
	{ "zoom-in", "s", SECTION_TIME, "",
	  "show a shorter span of time", act_zoom_in, ALL, NULL },
	{ "zoom-out", "S", SECTION_TIME, "",
	  "show a longer span of time", act_zoom_out, ALL, NULL },

	{ "accounts", "1", SECTION_PROGRAM, "",
	  "open the accounts", act_accounts, ALL, "views" },
	{ "jobs", "2", SECTION_PROGRAM, "",
	  "open the queue: every job with its priority and rank", act_jobs, ALL, "views" },
	{ "pools", "3", SECTION_PROGRAM, "",
	  "open the queue pools: slots deserved, used and borrowed", act_pools, ALL, "views" },
	{ "classes", "4", SECTION_PROGRAM, "",
	  "open the classes: jobs that are the same", act_classes, ALL, "views" },
	{ "policy", "5", SECTION_PROGRAM, "",
	  "open the policy: the scheduler's parameters", act_policy, ALL, "views" },
	{ "save", "<C-s>", SECTION_PROGRAM, "[FILE]",
	  "write the table as it is shown to a new .csv, .json or .txt file", act_save, ALL, NULL },
	{ "last-view", "0", SECTION_PROGRAM, "",
	  "go back to the view before, and again to this one", act_last_view, ALL, NULL },
	{ "source", "!", SECTION_PROGRAM, "",
	  "show how the source is read, and what it could not tell", act_source, ALL, NULL },
	{ "help", "? <F1>", SECTION_PROGRAM, "",
	  "show the keys", act_help, ALL, "help" },
	{ "command", ":", SECTION_PROGRAM, "",
	  "type a command; Tab completes it", act_command, ALL, "command" },
	{ "palette", "<C-p>", SECTION_PROGRAM, "",
	  "choose from all commands", act_palette, ALL, NULL },
	{ "theme", "t", SECTION_PROGRAM, "[NAME]",
	  "change to the next theme, or to the named one", act_theme, ALL, NULL },
	{ "mouse", "m", SECTION_PROGRAM, "",
	  "give the mouse to fairtop, or back to the terminal", act_mouse, ALL, NULL },
	{ "redraw", "<C-l>", SECTION_PROGRAM, "",
	  "paint the screen anew", act_redraw, ALL, NULL },
	{ "back", "q <Esc>", SECTION_PROGRAM, "",
	  "close what is open; at the end, leave (q only)", act_back, ALL, NULL },
	{ "quit", "Q <F10>", SECTION_PROGRAM, "",
	  "leave fairtop", act_quit, ALL, "leave" },

	{ "set", "", SECTION_SETTINGS, "NAME VALUE",
	  "change a setting: every theme mouse ascii chart algorithm base", act_set, ALL, NULL },
	{ "write", "", SECTION_SETTINGS, "[FILE]",
	  "keep settings, columns, order, filter and keys in fairtop.conf", act_write, ALL, NULL },
	{ "bind", "", SECTION_SETTINGS, "[VIEW] KEY COMMAND",
	  "let a key run a command", act_bind, ALL, NULL },
	{ "unbind", "", SECTION_SETTINGS, "[VIEW] KEY",
	  "take a key's command away", act_unbind, ALL, NULL },
	{ "color", "", SECTION_SETTINGS, "ROLE COLOR",
	  "change how a role looks", act_color, ALL, NULL },
};
const size_t commands_count = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name, struct err *err)
{
	const struct command *found = NULL;
	size_t length = strlen(name);

	for (size_t i = 0; i < commands_count; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	for (size_t i = 0; i < commands_count && length > 0; i++) {
		if (strncmp(commands[i].name, name, length) != 0)
			continue;
		if (found != NULL) {
			err_set(err, ERR_INPUT, "'%s' could be %s or %s", name, found->name,
				commands[i].name);
			return NULL;
		}
		found = &commands[i];
	}
	if (found == NULL)
		err_set(err, ERR_INPUT, "there is no command '%s' (? lists them)", name);
	return found;
}
