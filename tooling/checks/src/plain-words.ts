import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Words that readers stumble over, and what to write instead. `nobody@` in an email address is allowed. */
const WORDS: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\bwho(?:m|so)?ever\b/i, 'the actor: the caller, client, user, operator, or the code that ...'],
  [/\b[Nn]obody\b(?!@)/, '"no client", "no user", or the passive'],
  [/\b(?:some|any)body\b/i, 'the actor: another client, a user, any role'],
  [/(?<![A-Za-z])stor(?:y|ies)(?![a-z])|Stor(?:y|ies)(?![a-z])/, 'history, details or record'],
  [/sayings/i, 'messages'],
  [/whereabouts/i, 'address or location'],
  [/impatien(?:ce|t)/i, 'deadline, or the second signal'],
  [/doomed/i, 'affected, or to be revoked'],
  [/strangers?\b/i, 'another account, an unknown client'],
  [/peopled/i, 'populated'],
  [/(?<![A-Za-z])leas(?:e|es|ed)(?![a-z])|Lease(?![a-z])/, 'freshness or validity'],
  [/const (?:MOST|MANY|FEW|COUNTED|LEAST|FIRST)(?:_[A-Z_]+)?\b/, 'MAX_ or MIN_ and what is limited'],
];

/** Lines that may contain such a word, without their indentation. */
export const ALLOWED: readonly string[] = [
  // Part of the OpenAPI document.
  "{ name: 'Keys', description: 'Public keys, for whoever verifies signatures' },",
  // The name of a user of the system.
  "stderr: expect.stringContaining('run this as that user, such as `runuser -u nobody -- '),",
  // Part of a recorded output.
  "...['--account 1', '--account 9', '--actor ada@acme.example', '--actor tester', '--actor nobody'],",
];

export interface Finding {
  /** `path:line`, from the root of the repository. */
  readonly at: string;
  readonly word: string;
  readonly better: string;
  readonly line: string;
}

/** Finds the words in files, which are given by patterns from the root of the repository; this check is excluded. */
export function findWords(patterns: readonly string[]): readonly Finding[] {
  const paths = globSync([...patterns], {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**', 'tooling/checks/src/plain-words*'],
  });
  return paths
    .filter((path) => /\.(?:ts|mjs|js|md|yml|cfg)$/.test(path))
    .toSorted()
    .flatMap((path) => wordsIn(readFileSync(`${ROOT}/${path}`, 'utf8'), path));
}

export function wordsIn(text: string, path: string): readonly Finding[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim();
    if (ALLOWED.includes(line)) return [];
    return WORDS.flatMap(([pattern, better]) => {
      const [word] = pattern.exec(line) ?? [];
      return word === undefined ? [] : [{ at: `${path}:${index + 1}`, word, better, line }];
    });
  });
}
