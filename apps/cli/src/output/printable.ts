import { escapeInvisible, replaceInvisible } from '@gatehouse/domain';

/** Text that does nothing to a terminal but appear, and does not look like another. */
export const printable = replaceInvisible;

/** JSON that does nothing to a terminal but appear, and parses to the value; indented by two on request. */
export function printableJson(value: unknown, indent?: 2): string {
  return escapeInvisible(JSON.stringify(value, null, indent));
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
