import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** The text between two words of a command: a blank, or the separator of a program's arguments in a source. */
const GAP = /(?:\s+|['"]\s*,\s*\[?\s*['"])/.source;

/** Programs that fetch a package and run it, with their options and the next word. */
const FETCHED = new RegExp(
  `\\b(?:npx|npm (?:x|exec)|pnpx|pnpm dlx|yarn dlx|bunx)(?:${GAP}-[\\w=@./-]*)*${GAP}(?<name>@?\\w[\\w./@-]*)`,
  'g',
);

const PINNED = /.@\d+\.\d+\.\d+/;

/**
 * Returns the commands of a file that fetch a package without a version and run it: the owner of the name could change
 * what runs. The prose of a document may mention these programs, but not with our name.
 */
function unpinnedIn(path: string, text: string): readonly string[] {
  const found = [...text.matchAll(FETCHED)].map(({ 0: command, index, groups }) => ({
    command,
    name: groups?.name ?? '',
    isProse: path.endsWith('.md') && !isCode(text, index),
  }));
  return found
    .filter(({ name, isProse }) => /^gatehouse\b/.test(name) || (!isProse && !PINNED.test(name)))
    .map(({ command }) => `${path}: ${command}`);
}

/** Whether a place in a document is between backquotes or in a block of code. */
function isCode(text: string, index: number): boolean {
  const before = text.slice(0, index);
  const isBlock = (before.match(/^```/gm)?.length ?? 0) % 2 === 1;
  const paragraph = before.slice(before.lastIndexOf('\n\n') + 1);
  return isBlock || (paragraph.match(/`/g)?.length ?? 0) % 2 === 1;
}

test('nothing fetches a package without a version to run it', () => {
  const listed = execFileSync(
    'git',
    ['grep', '-lE', '\\b(npx|npm (x|exec)|pnpx|pnpm dlx|yarn dlx|bunx)\\b', '--', ':!*.test.ts', ':!*lock.*'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const paths = listed.split('\n').filter((path) => path !== '');
  expect(paths.flatMap((path) => unpinnedIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

const NAME = 'gatehouse';

test.each([
  ['docs/administer/cli.md', `Write npx ${NAME} doctor.`],
  ['docs/administer/cli.md', `Write \`npx --no-install ${NAME}\`.`],
  ['docs/administer/cli.md', 'Run `npx vitest`.'],
  ['docs/administer/cli.md', '```sh\nnpx vitest run\n```\n'],
  ['docs/administer/cli.md', '```sh\ncd elsewhere\npnpm dlx vitest\n```\n'],
  ['a.ts', `spawn('npx', ['--yes', '${NAME}', 'doctor'])`],
  ['a.ts', "spawn('npx', ['vitest'])"],
  ['Dockerfile', 'RUN npm exec -- vitest'],
])('finds it in %s: %s', (path, text) => {
  expect(unpinnedIn(path, text)).toHaveLength(1);
});

test.each([
  ['docs/adr/0064.md', 'npx runs a package of the checkout. `a` and npx is slow.'],
  ['docs/administer/cli.md', 'Run `npx vitest@5.1.1 run`.'],
  ['a.ts', "spawn('npx', ['@acme/tool@1.0.0'])"],
])('accepts in %s: %s', (path, text) => {
  expect(unpinnedIn(path, text)).toEqual([]);
});
