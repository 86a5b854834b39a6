import { replaceInvisible } from '../../invisible-characters.ts';

/** The longest line, in characters. RFC 5322 section 2.1.1 recommends at most 78. */
const LINE_LENGTH = 72;

/** The longest name in a message, in characters. */
const NAME_LENGTH = 80;

/** A dot inside a word, in any of the forms that browsers take for one in a domain (UTS #46), and U+2024, which looks alike. */
const DOT = /(?<=[^\s.])[.\u2024\u3002\uff0e\uff61](?=[\p{L}\p{M}\p{N}])/gu;

/**
 * Makes a name harmless in a message: one short line, in which mail programs find no address to open. The name of an
 * account or of a token is chosen by its admins, and a message with it comes from this installation.
 */
export function inert(name: string): string {
  const line = replaceInvisible(name).replace(/\s+/g, ' ').trim();
  const short = line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH).toWellFormed()}…` : line;
  return short
    .replaceAll('://', '[:]//')
    .replace(/[@\uff20]/g, '[@]')
    .replace(DOT, '[.]');
}

/** Breaks a paragraph into short lines. A word that is longer than a line, such as a link, stays whole. */
function wrapped(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** The text of a message: paragraphs with an empty line between them. */
export function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.map((each) => each.split('\n').map(wrapped).join('\n')).join('\n\n')}\n`;
}
