import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundleCheckout } from './bundle-checkout.ts';
import { currentProgram } from './current.cjs';

/** Prints what a program has loaded: chunks, each with whether V8 took what was compiled, and modules of Node. */
const PROBE = `
  const require = process.getBuiltinModule('node:module').createRequire('/');
  const vm = require('node:vm');
  const chunks = [];
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options);
      chunks.push([require('node:path').basename(options.filename).replace(/-.*/, ''), this.cachedDataRejected]);
    }
  };
  process.on('exit', () => {
    const modules = process.moduleLoadList.flatMap((each) => /^NativeModule (?!internal)(.*)/.exec(each)?.[1] ?? []);
    require('node:fs').writeSync(3, JSON.stringify({ chunks, modules }));
  });`;

async function loadedBy(...args: readonly string[]) {
  await bundleCheckout(['gatehouse']);
  const preload = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const { output } = spawnSync(
    process.execPath,
    ['--import', preload, currentProgram('gatehouse') ?? '', ...args],
    {
      // A command that finds no database has loaded by then what reads it.
      env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  const loaded: { chunks: [name: string, isRejected: boolean][]; modules: string[] } = JSON.parse(
    output[3] ?? '',
  );
  return loaded;
}

const isCompiled = (name: string) => [name, false];

test('the version is one chunk, compiled', async () => {
  const { chunks } = await loadedBy('--version');
  expect(chunks.toSorted()).toEqual(['program', 'rolldown'].map(isCompiled));
}, 180_000);

test('a command that reads a row loads five chunks, compiled, and no module of Node that it does not need', async () => {
  const { chunks, modules } = await loadedBy('org', 'list');
  // Some are imported side by side, in no order.
  expect(chunks.toSorted()).toEqual(['command', 'database', 'org', 'program', 'rolldown'].map(isCompiled));
  expect(modules).toContain('net');
  expect(modules).not.toContainEqual(
    expect.stringMatching(/^(child_process|dns|fs\/promises|http|readline|tls|worker_threads)$/),
  );
}, 180_000);
