import { escapeInvisible } from '@gatehouse/domain';

/** Spreadsheets run a cell that begins with one of these characters as a formula, also if it has the full width. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Characters at which some readers split a line, even between quotes. `escapeInvisible` leaves line breaks. */
const SEPARATORS = /[;\n]/g;

/**
 * Writes a line of a CSV file (RFC 4180). No cell is a formula in a spreadsheet, and no cell has a character at which a
 * reader could split the line in another place: tabs, semicolons, line breaks and invisible characters are written as
 * `\u` escapes, as in JSON. A cell that begins like a formula gets an apostrophe in front.
 */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((each) => cell(String(each))).join(',')}\r\n`;

function cell(text: string): string {
  const escaped = escapeInvisible(text).replace(SEPARATORS, (each) => (each === ';' ? '\\u003b' : '\\u000a'));
  const safe = FORMULA.test(escaped) ? `'${escaped}` : escaped;
  return `"${safe.replaceAll('"', '""')}"`;
}
