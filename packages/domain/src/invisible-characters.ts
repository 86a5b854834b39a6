/**
 * Characters that control a terminal, change the direction of text, or are invisible: control characters, line
 * separators, and Unicode's format and default-ignorable characters, such as joiners, tags and variation selectors.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of printable ASCII has no invisible characters and need not be searched. */
const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\n -~]*$/;

/**
 * Replaces each invisible character by U+FFFD for display. So the character has no effect, and the text looks different
 * from the same text without the character. Two texts can still look the same if they differ only in which invisible
 * characters they have, in the kind of a space, in letters that look alike, or in normalization. An emoji that consists
 * of several joined emoji is shown as separate emoji, and a Persian or Indic word with a joiner is shown in parts.
 */
export function replaceInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, '\ufffd');
}

/**
 * Writes invisible characters in a JSON text as `\u` escapes (RFC 8259 section 7). The text still parses to the same
 * value.
 */
export function escapeInvisible(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  // Line breaks inside JSON strings are already escaped. Line breaks between members are not changed.
  return json.replace(UNSEEN, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
