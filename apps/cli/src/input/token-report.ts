import type { PastedToken } from './pasted-tokens.ts';

/** A token of either format anywhere in a text, in base64url and not part of a longer word. */
const TOKEN = /(?<![\w.-])(?:v4\.public\.[\w-]+\.[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]+)(?![\w.-])/g;

/**
 * Finds the tokens in the report of a secret scanner: JSON (such as gitleaks' or SARIF), JSON lines, CSV, XML, or any
 * other text. Some may belong to other services.
 *
 * @param list the same text as a list of tokens, one a line
 * @returns undefined if the text is not a report but such a list
 */
export function tokensInReport(
  text: string,
  list: readonly PastedToken[],
): readonly PastedToken[] | undefined {
  if (!isJson(text) && list.every(({ text: line }) => isWhole(line) || find(line).length === 0))
    return undefined;
  const found = text
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => find(line).map((token) => ({ line: index + 1, text: token })));
  // A report may contain a token twice, once with the text around it.
  return [...new Map(found.toReversed().map((token) => [token.text, token])).values()].toReversed();
}

const find = (line: string): readonly string[] => line.match(TOKEN) ?? [];

const isWhole = (line: string): boolean => find(line)[0] === line;

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
