import { tokensIn } from '@gatehouse/domain';
import { TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';
import { secretText } from '@gatehouse/key-encryption/secret-text';
import type { Cli } from '../cli.ts';
import { usageError } from '../errors/command-error.ts';
import { askForSecret, canAsk } from './prompt.ts';

/** A token whose text the user gave, instead of its id. The text around the token is removed. */
export interface PastedToken {
  /** The number of the token's line on standard input, from 1. */
  readonly line: number;
  readonly text: string;
}

const NOTHING = 'No token was given: standard input is empty.';

/** Reads the only token on standard input, or asks for it without echo. */
export async function readPastedToken(cli: Cli): Promise<string> {
  const token = cli.streams.stdin.isTTY ? await promptForToken(cli) : clean(await readAll(cli));
  if (token === '') throw usageError(NOTHING);
  return token;
}

/** The tokens on standard input. */
export interface PastedTokens {
  readonly tokens: readonly PastedToken[];
  /** Whether the tokens are from the report of a secret scanner. Some may then be tokens of other services. */
  readonly areFromReport: boolean;
}

/** The line ends of all systems. */
const LINE_END = /\r\n|\n|\r/;

/** Reads the tokens on standard input, one on each line or in the report of a scanner; at a terminal, asks for one. */
export async function readPastedTokens(cli: Cli): Promise<PastedTokens> {
  if (cli.streams.stdin.isTTY) {
    return { tokens: [{ line: 1, text: await promptForToken(cli) }], areFromReport: false };
  }
  const given = await readAll(cli);
  const lines = given.split(LINE_END).map((text, index) => ({ line: index + 1, text: clean(text) }));
  const tokens = lines.filter(({ text }) => text !== '');
  const reported = tokensInReport(given, tokens);
  if (reported?.length === 0) {
    throw usageError(
      'The report on standard input has no complete tokens: make the scanner write the tokens in full.',
    );
  }
  if (reported) return { tokens: reported, areFromReport: true };
  if (tokens.length === 0) throw usageError(NOTHING);
  return { tokens, areFromReport: false };
}

async function promptForToken(cli: Cli): Promise<string> {
  if (!canAsk(cli.streams)) {
    throw usageError('There is no terminal to ask for the token: give it on standard input.');
  }
  const typed = await askForSecret(cli, 'Token (not shown):', (text) =>
    clean(text) === '' ? 'Paste the token, or press Ctrl-C to cancel' : undefined,
  );
  return clean(typed);
}

/** Removes white space around a token, and the scheme of an Authorization header. */
function clean(text: string): string {
  return text.trim().replace(/^bearer(\s+|$)/i, '');
}

/** Ten thousand of the longest tokens. */
const MAX_INPUT_BYTES = 10_000 * TOKEN_MAX_LENGTH;

async function readAll({ streams: { stdin } }: Cli): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES)
      throw usageError(
        'Standard input is too long, and was not read to its end: give at most 10,000 tokens, or split the report.',
      );
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  try {
    return secretText(bytes);
  } catch {
    // Invalid UTF-8 becomes replacement characters, which no token contains.
    return bytes.toString('utf8');
  }
}

/**
 * Finds the tokens in the report of a secret scanner: JSON (such as gitleaks' or SARIF), JSON lines, CSV, XML, or any
 * other text. Some may belong to other services.
 *
 * @param list the lines of the same text, read as a list with one token on each line
 * @returns undefined if the text is not a report but a list of tokens
 */
export function tokensInReport(
  text: string,
  list: readonly PastedToken[],
): readonly PastedToken[] | undefined {
  if (!isJson(text) && list.every(({ text: line }) => isWhole(line) || tokensIn(line).length === 0))
    return undefined;
  const found = text
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => tokensIn(line).map((token) => ({ line: index + 1, text: token })));
  // A report may contain a token several times, for example alone and within a line of code. The first one is kept.
  return [...new Map(found.toReversed().map((token) => [token.text, token])).values()].toReversed();
}

const isWhole = (line: string): boolean => tokensIn(line)[0] === line;

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
