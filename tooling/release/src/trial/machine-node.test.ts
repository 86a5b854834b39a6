import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machinePath, npmSettings } from './machine-node.ts';

test('npm gets a registry and a cache, and no file with credentials', () => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-npm-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(
    join(home, '.npmrc'),
    'registry=https://registry.example/\n//registry.example/:_authToken=the-secret\n',
  );
  const environment = { HOME: home, npm_config__authToken: 'the-secret', NPM_TOKEN: 'the-secret' };
  const settings = npmSettings(environment);
  expect(settings.npm_config_registry).toBe('https://registry.example/');
  expect(settings.npm_config_globalconfig).toBe('/dev/null');
  expect(settings.npm_config_cache).toContain(home);
  expect(JSON.stringify(settings)).not.toContain('the-secret');
});

test('the programs of the set-up are not those of the machine', () => {
  expect(machinePath('/usr/bin:/checkout/node_modules/.bin::/usr/local/bin')).toBe('/usr/bin:/usr/local/bin');
});
