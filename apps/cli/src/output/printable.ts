/** Control characters, ends of lines, and what turns the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text that does nothing to a terminal but appear: control characters become a replacement sign. */
export function printable(text: string): string {
  return text.replace(CONTROL, '\ufffd');
}

/** What somebody typed, as it is quoted back to them; long text is cut, for it may be a secret. */
export function quote(text: string): string {
  return `"${printable(cut(text))}"`;
}

/** A message of commander, in which words that somebody typed stand as they are; only a suggestion is a line of its own. */
export function printableError(text: string): string {
  const lines = text.trimEnd().split(/\n(?=\(Did you mean )/);
  return `${lines.map((line) => printable(line.replace(/[^\s']+/g, cut))).join('\n')}\n`;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 20)}...` : text;
}
