/**
 * Characters that act on a terminal, turn the direction of text, or do not show: control characters, ends of lines, and
 * what Unicode calls format characters and default-ignorable, such as joiners, tags and variation selectors.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Most text has none, which is seen at once. */
const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\n -~]*$/;

/**
 * The text for a person to read: each unseen character becomes U+FFFD, so that a text with one looks different from the
 * same text without it, and none does anything but appear. Texts that differ otherwise can look the same: in which unseen
 * character they hold, in the kind of a space, in look-alike letters, or in normalization. Emoji that are joined, and
 * words that are spelled with joiners as in Persian and in Indic scripts, are shown in their parts.
 */
export function replaceInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, '\ufffd');
}

/** The same JSON text, which parses to the same value, with unseen characters in strings as `\u` escapes (RFC 8259, 7). */
export function escapeInvisible(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  // Ends of lines inside strings are escaped already; those left are between members.
  return json.replace(UNSEEN, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
