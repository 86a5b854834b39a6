import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Cli } from '../cli.ts';
import { readPastedTokens } from './pasted-tokens.ts';

// Nothing else of the command line is used.
const given = (bytes: Buffer) => ({ streams: { stdin: Readable.from([bytes]) } }) as unknown as Cli;

test.each([
  ['LF', '\n', 'utf8'],
  ['CRLF', '\r\n', 'utf8'],
  ['CR', '\r', 'utf8'],
  ['CRLF in UTF-16', '\r\n', 'utf16le'],
] as const)('tokens stand one a line, whose ends are %s', async (_, end, encoding) => {
  const bytes = Buffer.from(`\ufeffone${end}Bearer two${end}`, encoding);
  expect((await readPastedTokens(given(bytes))).tokens).toEqual([
    { line: 1, text: 'one' },
    { line: 2, text: 'two' },
  ]);
});
