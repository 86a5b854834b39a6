import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Sentence, sentencesOfComments, sentencesOfDocument } from './sentences.ts';

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

/** Shapes of sentences that have to be read twice, and what to write instead. Each is tried on one sentence. */
const SHAPES: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/^\W*What(?:ever)?\b(?!.*\?$)/, 'the noun: "The text that ..."'],
  [/\b(?:of|by) which\b/i, 'two sentences, or "whose", "with"'],
  [/\bso that\b.*\btoo\b/i, 'two sentences'],
  [/^\W*(?:That|Those) of\b/, 'the noun that it stands for'],
  [
    /^\W*(?:So (?:long|many|much)|Of (?:so|each|these|those|all|it|them|what|an?|the)|By (?:how|what))\b/,
    'who does what, in that order',
  ],
  [/\b(?:no|any) more(?=[.,;:)]|$)/i, '"no longer"'],
  [/\btold (?:so|by|of)\b/i, '"is reported", "is shown", "is recognized by"'],
];

/** Lines that may contain such a word, without their indentation. */
export const ALLOWED: readonly string[] = [
  // Part of the OpenAPI document.
  "{ name: 'Keys', description: 'Public keys, for whoever verifies signatures' },",
  // The name of a user of the system.
  "stderr: expect.stringContaining('for example with `runuser -u nobody -- '),",
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
  return list(patterns, /\.(?:ts|mjs|js|md|yml|cfg)$/).flatMap((path) =>
    wordsIn(readFileSync(`${ROOT}/${path}`, 'utf8'), path),
  );
}

const list = (patterns: readonly string[], extensions: RegExp): readonly string[] =>
  globSync([...patterns], {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**', 'tooling/checks/src/plain-words*'],
  })
    .filter((path) => extensions.test(path))
    .toSorted();

/** Finds the shapes in the sentences of documents. */
export const findShapesInDocuments = (patterns: readonly string[]): readonly Finding[] =>
  list(patterns, /\.md$/).flatMap((path) =>
    shapesIn(sentencesOfDocument(readFileSync(`${ROOT}/${path}`, 'utf8')), path),
  );

/** Finds the shapes in the comments of sources. */
export const findShapesInComments = (patterns: readonly string[]): readonly Finding[] =>
  list(patterns, /\.(?:ts|mjs|js)$/).flatMap((path) =>
    shapesIn(sentencesOfComments(readFileSync(`${ROOT}/${path}`, 'utf8')), path),
  );

export function shapesIn(sentences: readonly Sentence[], path: string): readonly Finding[] {
  return sentences.flatMap(({ line, text }) =>
    SHAPES.flatMap(([pattern, better]) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [{ at: `${path}:${line}`, word, better, line: text }];
    }),
  );
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
