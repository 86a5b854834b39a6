import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from './current.cjs';

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'gatehouse-bundle-'));
  mkdirSync(join(checkout, 'tooling/bundle/src'), { recursive: true });
  copyFileSync(
    join(ROOT, 'tooling/bundle/src/current.cjs'),
    join(checkout, 'tooling/bundle/src/current.cjs'),
  );
  write('source.ts', 'one');
  write('tooling/bundle/src/main.ts', MAIN);
});
afterEach(() => rmSync(checkout, { recursive: true }));

/** Stands for the bundler: the bundle is a copy of the source, and says how it was made. */
const MAIN = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { BUNDLES, ROOT, stampOf } from './current.cjs';
const source = readFileSync(ROOT + '/source.ts', 'utf8');
if (source === 'wrong') throw new SyntaxError();
mkdirSync(BUNDLES, { recursive: true });
writeFileSync(BUNDLES + '/made', JSON.stringify([source, process.argv.slice(2), process.env.NODE_OPTIONS ?? null]));
writeFileSync(BUNDLES + '/program.json', JSON.stringify({ program: 'made', inputs: [['source.ts', stampOf('source.ts')]] }));
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

/** The program as a process finds it. */
function found(options: object = {}): unknown {
  const script = `
    const { bundledProgram } = require('./tooling/bundle/src/current.cjs');
    const program = bundledProgram('program', ${JSON.stringify(options)});
    process.stdout.write(program === undefined ? 'null' : require('fs').readFileSync(program));`;
  const { stdout } = spawnSync(process.execPath, ['--eval', script], {
    cwd: checkout,
    env: { ...process.env, NODE_OPTIONS: '--no-warnings' },
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

test('a program is bundled at first, and then found; its options are not those of the bundler', () => {
  expect(found()).toEqual(['one', ['program'], null]);
  write('tooling/bundle/src/main.ts', '');
  expect(found()).toEqual(['one', ['program'], null]);
});

test('it is bundled again after a change of a source, also one of the same size that keeps its time', () => {
  const time = new Date(0);
  utimesSync(join(checkout, 'source.ts'), time, time);
  expect(found()).toEqual(['one', ['program'], null]);
  write('source.ts', 'two');
  utimesSync(join(checkout, 'source.ts'), time, time);
  expect(found({ patient: true })).toEqual(['two', ['program', '--wait'], null]);
});

test('there is none if the sources cannot be bundled, so that they run, and say what is wrong', () => {
  expect(found()).not.toBeNull();
  write('source.ts', 'wrong');
  expect(found()).toBeNull();
});

test('there is none where a source is missing', () => {
  expect(found()).not.toBeNull();
  rmSync(join(checkout, 'source.ts'));
  expect(found()).toBeNull();
});
