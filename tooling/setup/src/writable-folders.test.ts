import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withWritableFolders } from './writable-folders.mjs';

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const NAMES = ['npm_config_cache', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
const OWN = Object.fromEntries(NAMES.map((name) => [name, `/checkout/.toolchain/home/${name}`]));
const change = (env: NodeJS.ProcessEnv) => withWritableFolders(env, '/checkout/.toolchain');

it('changes nothing where the home can be written, also where it has nothing yet', () => {
  const env = { HOME: aFolder(), PATH: '/bin' };
  expect(change(env)).toEqual({ env, replaced: [] });
  expect(change({ HOME: join(env.HOME, 'not/made/yet') }).replaced).toEqual([]);
});

it.each([
  ['is no folder', () => '/dev/null'],
  ['is below a file', () => '/dev/null/home'],
])('keeps everything in the checkout where the home %s', (_, home) => {
  expect(change({ HOME: home() }).env).toMatchObject(OWN);
});

it.skipIf(process.getuid?.() === 0)('keeps everything in the checkout where the home is read-only', () => {
  const home = aFolder();
  chmodSync(home, 0o500);
  expect(change({ HOME: home }).env).toMatchObject(OWN);
});

it('keeps there only what cannot be written, and names the folder', () => {
  const home = aFolder();
  writeFileSync(join(home, '.npm'), '');
  mkdirSync(join(home, '.cache'));
  const env = { HOME: home, XDG_STATE_HOME: '/dev/null/state', XDG_DATA_HOME: join(home, 'data') };
  const { npm_config_cache, XDG_STATE_HOME } = OWN;
  expect(change(env)).toEqual({
    env: { ...env, npm_config_cache, XDG_STATE_HOME },
    replaced: [join(home, '.npm'), '/dev/null/state'],
  });
});
