/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/theme.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "tui/base/file_text.h"

#define THEME_FILE_MAX 65536

extern const char embed_theme_dark[], embed_theme_light[], embed_theme_contrast[];
extern const char embed_theme_safe[], embed_theme_mono[];

const char *const theme_builtin[] = { "dark", "light", "contrast", "safe", "mono", NULL };
static const char *const builtin_text[] = {
	embed_theme_dark, embed_theme_light, embed_theme_contrast,
	embed_theme_safe, embed_theme_mono,
};

static const char *const color_names[16] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"gray", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta",
	"bright-cyan", "bright-white",
};

/* The palette of xterm, for the sixteen names in images. */
static const uint32_t palette16[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

static const struct {
	const char *name;
	uint16_t attr;
} attributes[] = {
	{ "bold", STYLE_BOLD }, { "dim", STYLE_DIM }, { "italic", STYLE_ITALIC },
	{ "underline", STYLE_UNDERLINE }, { "reverse", STYLE_REVERSE },
};

/* ---- reading ------------------------------------------------------------------------------- */

static bool parse_color(const char *word, int32_t *color)
{
	char *end;

	if (strcmp(word, "default") == 0) {
		*color = COLOR_DEFAULT;
		return true;
	}
	for (int i = 0; i < 16; i++) {
		if (strcmp(word, color_names[i]) == 0) {
			*color = i;
			return true;
		}
	}
	if (word[0] == '#' && strspn(word + 1, "0123456789abcdefABCDEF") == 6 && word[7] == '\0') {
		*color = (int32_t)(COLOR_RGB | strtol(word + 1, NULL, 16));
		return true;
	}
	if (word[0] < '0' || word[0] > '9')
		return false;
	errno = 0;
	long number = strtol(word, &end, 10);
	*color = (int32_t)number;
	return errno == 0 && *end == '\0' && number <= 255;
}

static struct style *find_role(struct theme *t, const char *name)
{
	for (int i = 0; i < ROLE_COUNT; i++) {
		if (strcmp(name, role_info[i].name) == 0)
			return &t->roles[i];
	}
	for (int i = 0; i < GROUND_COUNT; i++) {
		if (strcmp(name, ground_info[i].name) == 0)
			return &t->grounds[i];
	}
	return NULL;
}

static bool theme_parse_word(struct style *s, const char *word, bool *on, struct err *err)
{
	int32_t color;

	if (strcmp(word, "on") == 0) {
		*on = true;
		return true;
	}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (strcmp(word, attributes[i].name) == 0) {
			s->attrs |= attributes[i].attr;
			return true;
		}
	}
	if (!parse_color(word, &color))
		return err_set(
			err, ERR_INPUT,
			"'%s' is not a colour or attribute (expected default, "
			"a name like red, 0 to 255, #rrggbb, on, bold, dim, italic, underline "
			"or reverse)",
			word);
	*(*on ? &s->bg : &s->fg) = color;
	*on = false;
	return true;
}

bool theme_color(struct theme *t, const struct words *words, struct err *err)
{
	struct style *role, style;
	bool on = false;

	if (words->count < 2 || strcmp(words->word[0], "color") != 0)
		return err_set(err, ERR_INPUT, "'%s': expected color ROLE [COLOR] [on COLOR] "
			       "[ATTRIBUTE...]", words->count > 0 ? words->word[0] : "");
	role = find_role(t, words->word[1]);
	if (!role)
		return err_set(err, ERR_INPUT, "unknown role '%s'", words->word[1]);
	bool is_ground = role >= t->grounds && role < t->grounds + GROUND_COUNT;
	style.fg = is_ground ? COLOR_INHERIT : COLOR_DEFAULT;
	style.bg = is_ground ? COLOR_DEFAULT : COLOR_INHERIT;
	style.attrs = 0;
	for (size_t i = 2; i < words->count; i++) {
		if (!theme_parse_word(&style, words->word[i], &on, err))
			return false;
	}
	if (on)
		return err_set(err, ERR_INPUT, "expected a colour after 'on'");
	*role = style;
	return true;
}

static void append_color(char *buf, size_t size, const char *before, int32_t color)
{
	if (color == COLOR_DEFAULT)
		format_append(buf, size, "%sdefault", before);
	else if (color & COLOR_RGB)
		format_append(buf, size, "%s#%06x", before, (unsigned)(color & 0xffffff));
	else if (color < 16)
		format_append(buf, size, "%s%s", before, color_names[color]);
	else
		format_append(buf, size, "%s%d", before, (int)color);
}

bool theme_spell(const struct theme *t, size_t i, const char **meaning, char *buf, size_t size)
{
	bool is_ground = i >= ROLE_COUNT;
	const struct role_info *info;
	const struct style *s;

	if (i >= ROLE_COUNT + GROUND_COUNT)
		return false;
	info = is_ground ? &ground_info[i - ROLE_COUNT] : &role_info[i];
	s = is_ground ? &t->grounds[i - ROLE_COUNT] : &t->roles[i];
	*meaning = info->meaning;
	snprintf(buf, size, "color %s", info->name);
	if (s->fg != (is_ground ? COLOR_INHERIT : COLOR_DEFAULT))
		append_color(buf, size, " ", s->fg);
	if (s->bg != (is_ground ? COLOR_DEFAULT : COLOR_INHERIT))
		append_color(buf, size, " on ", s->bg);
	for (size_t a = 0; a < sizeof(attributes) / sizeof(attributes[0]); a++) {
		if (s->attrs & attributes[a].attr)
			format_append(buf, size, " %s", attributes[a].name);
	}
	return true;
}

static bool theme_line(void *context, const char *line, const struct words *words, struct err *err)
{
	(void)line;
	return theme_color(context, words, err);
}

bool theme_parse(struct theme *t, const char *name, const char *file, const char *text,
		 size_t length, struct err *err)
{
	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "%s", name);
	for (int i = 0; i < ROLE_COUNT; i++)
		t->roles[i] = (struct style){ COLOR_DEFAULT, COLOR_INHERIT, 0 };
	for (int i = 0; i < GROUND_COUNT; i++)
		t->grounds[i] = (struct style){ COLOR_INHERIT, COLOR_DEFAULT, 0 };
	return script_run(file, text, length, theme_line, t, err);
}

/* False without an error: no such file. */
static bool theme_load_file(struct theme *t, const char *name, const char *dir, bool *found,
			    struct err *err)
{
	char path[4096], *text;
	bool ok;

	snprintf(path, sizeof(path), "%s/themes/%s.theme", dir, name);
	ok = file_text_found(path, THEME_FILE_MAX, &text, err);
	*found = !ok || text;
	ok = text && theme_parse(t, name, path, text, strlen(text), err);
	mem_free(text);
	return ok;
}

bool theme_load(struct theme *t, const char *name, const char *dir, struct err *err)
{
	bool found = false, ok;

	if (!strchr(name, '/') && name[0] != '.') {
		if (dir) {
			ok = theme_load_file(t, name, dir, &found, err);
			if (found)
				return ok;
		}
		for (int i = 0; theme_builtin[i]; i++) {
			if (strcmp(name, theme_builtin[i]) == 0)
				return theme_parse(t, name, name, builtin_text[i],
						   strlen(builtin_text[i]), err);
		}
		ok = theme_load_file(t, name, PKGDATADIR, &found, err);
		if (found)
			return ok;
	}
	return err_set(err, ERR_INPUT, "unknown theme '%s' (expected dark, light, "
		       "contrast, safe, mono, or NAME of a file themes/NAME.theme)", name);
}

/* ---- reducing ------------------------------------------------------------------------------ */

static uint32_t palette_rgb(int32_t color)
{
	static const uint8_t level[6] = { 0, 95, 135, 175, 215, 255 };

	if (color < 16)
		return palette16[color];
	if (color >= 232) {
		uint32_t gray = (uint32_t)(8 + 10 * (color - 232));
		return gray << 16 | gray << 8 | gray;
	}
	color -= 16;
	return (uint32_t)level[color / 36] << 16 | (uint32_t)level[color / 6 % 6] << 8 |
	       level[color % 6];
}

uint32_t theme_rgb(int32_t color, uint32_t fallback)
{
	if (color < 0)
		return fallback;
	return color & COLOR_RGB ? (uint32_t)color & 0xffffff : palette_rgb(color);
}

/* Squared distance, weighted roughly like the eye. */
static int theme_distance(uint32_t a, uint32_t b)
{
	int r = (int)(a >> 16 & 255) - (int)(b >> 16 & 255);
	int g = (int)(a >> 8 & 255) - (int)(b >> 8 & 255);
	int blue = (int)(a & 255) - (int)(b & 255);

	return 3 * r * r + 6 * g * g + blue * blue;
}

static int32_t theme_nearest(uint32_t rgb, int32_t from, int32_t to)
{
	int32_t best = from;
	int best_distance = theme_distance(rgb, palette_rgb(from));

	for (int32_t i = from + 1; i < to; i++) {
		int d = theme_distance(rgb, palette_rgb(i));
		if (d < best_distance) {
			best = i;
			best_distance = d;
		}
	}
	return best;
}

#define COLORLESS 32		/* components that differ by less make a gray */
#define BRIGHT 0xb0		/* darker colours use the first eight */

/*
 * Finds the colour of the same hue among sixteen or eight: the nearest one to a pale colour would
 * be white or gray, the same for all pale colours.
 */
static int32_t same_hue(uint32_t rgb, bool bright)
{
	static const int32_t hues[6] = { 1, 3, 2, 6, 4, 5 };	/* every 60 degrees from red on */
	int r = (int)(rgb >> 16 & 255), g = (int)(rgb >> 8 & 255), b = (int)(rgb & 255);
	int most = r > g ? r : g, least = r < g ? r : g, turn;

	most = most > b ? most : b;
	least = least < b ? least : b;
	if (most - least < COLORLESS || (most - least) * 4 < most) {
		if (!bright)
			return most < 0x73 ? 0 : 7;
		return most < 0x40 ? 0 : most < 0xb2 ? 8 : most < 0xf2 ? 7 : 15;
	}
	/* In parts of 60 degrees, times the span of the components. */
	if (most == r)
		turn = g - b + (g < b ? 6 * (most - least) : 0);
	else if (most == g)
		turn = b - r + 2 * (most - least);
	else
		turn = r - g + 4 * (most - least);
	turn = (2 * turn + (most - least)) / (2 * (most - least)) % 6;
	return hues[turn] + (bright && most >= BRIGHT ? 8 : 0);
}

static int32_t reduce_color(int32_t color, enum color_depth depth)
{
	if (color < 0 || depth == DEPTH_DIRECT || color < (int32_t)depth)
		return color;
	if (depth == DEPTH_256)
		return theme_nearest((uint32_t)color & 0xffffff, 16, (int32_t)depth);
	if (color == 8)			/* gray with eight colours: neither black nor white */
		return COLOR_DEFAULT;
	if (color < 16)
		return color - 8;
	return same_hue(theme_rgb(color, 0), depth >= DEPTH_16);
}

/*
 * Among 256 colours, gray is nearest to most dark ones, also to the cursor's ground, which then
 * would look like that of marks. Uses the pure hue instead, one step brighter, as the mixed-in part
 * is gone.
 */
static int32_t dark_hue(int32_t color)
{
	uint32_t rgb = theme_rgb(color, 0);
	int r = (int)(rgb >> 16 & 255), g = (int)(rgb >> 8 & 255), b = (int)(rgb & 255);
	int most = r > g ? r : g, least = r < g ? r : g, level;

	most = most > b ? most : b;
	least = least < b ? least : b;
	if (color < 0 || most - least < COLORLESS || reduce_color(color, DEPTH_256) < 232)
		return color;
	level = most < 48 ? 1 : most < 115 ? 2 : 3;
	return 16 + level * (36 * (4 * r >= 3 * most) + 6 * (4 * g >= 3 * most) +
			     (4 * b >= 3 * most));
}

static bool has_color(const struct style *s)
{
	return s->fg >= 0 || s->bg >= 0;
}

/* Without colours, the theme "mono" distinguishes things. */
static void reduce_to_mono(struct theme *t)
{
	struct theme mono;
	struct err err;

	if (!theme_load(&mono, "mono", NULL, &err))
		return;
	for (int i = 0; i < ROLE_COUNT; i++) {
		if (has_color(&t->roles[i]))
			t->roles[i] = mono.roles[i];
	}
	for (int i = 0; i < GROUND_COUNT; i++) {
		if (has_color(&t->grounds[i]))
			t->grounds[i] = mono.grounds[i];
	}
}

static void reduce_style(struct style *s, enum color_depth depth)
{
	s->fg = reduce_color(s->fg, depth);
	s->bg = reduce_color(s->bg, depth);
}

/*
 * With few colours there is no quiet background: most would become black, that is, invisible.
 * Important grounds are reversed, in one colour; marks have their sign and an underline; the others
 * use the ground below them.
 */
static void reduce_ground(struct theme *t, enum ground ground)
{
	struct style *s = &t->grounds[ground];

	if (ground == GROUND_CELL) {	/* turned back in the reversed row */
		*s = (struct style){ COLOR_DEFAULT, t->grounds[GROUND_NONE].bg,
				     s->attrs | STYLE_BOLD | STYLE_UNDERLINE };
		return;
	}
	if (s->bg < 0 || s->fg >= 0)	/* with a colour for the text it is meant to be loud */
		return;
	switch (ground) {
	case GROUND_CURSOR:
	case GROUND_PICK:
	case GROUND_PAST:
		*s = (struct style){ COLOR_DEFAULT, COLOR_DEFAULT, s->attrs | STYLE_REVERSE };
		break;
	case GROUND_MARK:
		s->attrs |= STYLE_UNDERLINE;
		s->bg = t->grounds[GROUND_NONE].bg;
		break;
	case GROUND_NONE:
		break;
	default:
		s->bg = t->grounds[GROUND_NONE].bg;
	}
}

/*
 * Of sixteen colours, those with green (2) are pale and unreadable on one another; so are black and
 * blue on dark ones. Bold is often brighter, thus even paler.
 */
static void keep_readable(struct style *s, struct style seen)
{
	bool pale = seen.bg & 2;

	if (seen.fg < 0 || seen.bg < 0)
		return;
	if (pale ? seen.fg & 2 : (seen.fg & 11) == 0)
		s->fg = pale ? 0 : 7;
	if (pale)
		s->attrs &= (uint16_t)~STYLE_BOLD;
}

void theme_reduce(struct theme *t, enum color_depth depth)
{
	if (depth == DEPTH_MONO) {
		reduce_to_mono(t);
		return;
	}
	if (depth == DEPTH_256) {
		t->grounds[GROUND_CURSOR].bg = dark_hue(t->grounds[GROUND_CURSOR].bg);
		t->grounds[GROUND_PICK].bg = dark_hue(t->grounds[GROUND_PICK].bg);
	}
	for (int i = 0; i < ROLE_COUNT; i++)
		reduce_style(&t->roles[i], depth);
	for (int i = 0; i < GROUND_COUNT; i++)
		reduce_style(&t->grounds[i], depth);
	for (int i = 0; i < GROUND_COUNT && depth < DEPTH_256; i++)
		reduce_ground(t, (enum ground)i);
	for (int i = 0; i < ROLE_COUNT && depth < DEPTH_256; i++)
		keep_readable(&t->roles[i], theme_style(t, (enum role)i, GROUND_NONE));
	for (int i = 0; i < GROUND_COUNT && depth < DEPTH_256; i++)
		keep_readable(&t->grounds[i], theme_style(t, ROLE_TEXT, (enum ground)i));
}

struct style theme_style(const struct theme *t, enum role role, enum ground ground)
{
	struct style s = t->roles[role];
	const struct style *g = &t->grounds[ground], *text = &t->roles[ROLE_TEXT];

	/* The ground of text is the screen's; other roles inherit its colours. */
	if (s.fg < 0)
		s.fg = text->fg;
	if (role == ROLE_TEXT)
		s.bg = COLOR_INHERIT;
	/* A role with its own background keeps the colours that are readable on it. */
	if (s.bg >= 0) {
		s.attrs |= g->attrs & (uint16_t)~STYLE_REVERSE;
		return s;
	}
	if (s.bg == COLOR_INHERIT)
		s.bg = g->bg;
	if (s.bg < 0 && text->bg >= 0)
		s.bg = text->bg;
	if (g->fg != COLOR_INHERIT)
		s.fg = g->fg >= 0 ? g->fg : text->fg;
	/* A reversed text on a reversed ground is turned back, and still stands out. */
	if (s.attrs & g->attrs & STYLE_REVERSE)
		s.attrs &= (uint16_t)~STYLE_REVERSE;
	else
		s.attrs |= g->attrs & STYLE_REVERSE;
	s.attrs |= g->attrs & (uint16_t)~STYLE_REVERSE;
	return s;
}
