import type { PastedToken } from './pasted-tokens.ts';

/** A token of either format, wherever it stands in a text: in base64url, and not a part of a longer one. */
const TOKEN = /(?<![\w.-])(?:v4\.public\.[\w-]+\.[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]+)(?![\w.-])/g;

/**
 * Finds the tokens in the report of a scanner for secrets, which is JSON (such as that of gitleaks, or SARIF). Whose they are is
 * not known: scanners find tokens of other services, too.
 *
 * @returns undefined if the text is no report
 */
export function tokensInReport(text: string): readonly PastedToken[] | undefined {
  if (!isJson(text)) return undefined;
  const found = text
    .split('\n')
    .flatMap((line, index) =>
      Array.from(line.matchAll(TOKEN), ([token]) => ({ line: index + 1, text: token })),
    );
  // Reports have a secret, and what stands around it.
  return [...new Map(found.toReversed().map((token) => [token.text, token])).values()].toReversed();
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
