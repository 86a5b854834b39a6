import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { bundleCheckout } from './bundle-checkout.ts';
import { BUNDLES, currentProgram, ROOT } from './current.cjs';

test('the programs of this checkout are bundled, start, and are not bundled again', async () => {
  await bundleCheckout(['gatehouse', 'gatehouse-server']);
  const [command = '', server = ''] = [currentProgram('gatehouse'), currentProgram('gatehouse-server')];
  const run = (program: string, ...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: '/',
      env: { PORT: 'none' },
      encoding: 'utf8',
    });
  expect(run(command, '--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
  expect(run(command, 'org', 'list', '--help').stdout).toMatch(/^Usage: gatehouse org list \[options\]\n/);
  // It has loaded everything by then.
  expect(run(server)).toMatchObject({ status: 2, stderr: expect.stringContaining('PORT must be') });
  const { ctimeMs } = statSync(join(BUNDLES, 'gatehouse.json'));
  await bundleCheckout(['gatehouse', 'gatehouse-server']);
  expect(statSync(join(BUNDLES, 'gatehouse.json')).ctimeMs).toBe(ctimeMs);
  expect(currentProgram('gatehouse')).toBe(command);
  expect(readdirSync(dirname(server))).toContain('hashing-thread.js');
}, 180_000);

test('the root of the checkout is not named in a bundle, so that it can be moved', async () => {
  await bundleCheckout(['gatehouse']);
  const folder = dirname(currentProgram('gatehouse') ?? '');
  const { stdout } = spawnSync('grep', ['-rlF', '--exclude-dir=compiled', ROOT, folder], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
}, 180_000);
