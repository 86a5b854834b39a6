import { escapeInvisible, replaceInvisible } from '@gatehouse/domain';

/** Replaces control characters and invisible characters. */
export const printable = replaceInvisible;

/** Formats JSON with control characters and invisible characters escaped; the result parses to the same value. */
export function printableJson(value: unknown, indent?: 2): string {
  return escapeInvisible(JSON.stringify(value, null, indent));
}

/** Quotes input in a message. Long text is cut, because it may be a secret. */
export function quote(text: string): string {
  return `"${printable(cut(text))}"`;
}

/**
 * Quotes a path in a message. A part between slashes is cut if it is too long for a file's name: it may be a pasted
 * secret.
 */
export function quotePath(path: string): string {
  return `"${printable(path.split('/').map(cut).join('/'))}"`;
}

/** Escapes and cuts the input that a message of commander repeats. A suggestion of commander stays on a line of its own. */
export function printableError(text: string): string {
  const lines = text.trimEnd().split(/\n(?=\(Did you mean )/);
  return `${lines.map((line) => printable(line.replace(/[^\s']+/g, cut))).join('\n')}\n`;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 20)}...` : text;
}
