/**
 * Characters that control a terminal, change the direction of text, or are invisible: control characters, line
 * separators, and Unicode's format and default-ignorable characters, such as joiners, tags and variation selectors.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Fast path: printable ASCII has no invisible characters. */
const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\n -~]*$/;

/**
 * Replaces each invisible character by U+FFFD for display, so that a text with one looks different from the same text
 * without it, and none has an effect. Texts can still look the same if they differ only in which invisible character
 * they contain, in the kind of a space, in look-alike letters, or in normalization. Joined emoji, and words with
 * joiners as in Persian and in Indic scripts, are shown in their parts.
 */
export function replaceInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, '\ufffd');
}

/** Writes invisible characters in a JSON text as `\u` escapes (RFC 8259 section 7). The text still parses to the same value. */
export function escapeInvisible(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  // Line breaks inside strings are already escaped. Other line breaks stand between members and stay.
  return json.replace(UNSEEN, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
