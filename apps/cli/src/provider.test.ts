import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../testing/run-here.ts';

/** Settings with a provider at this port, and a folder of the database in which nothing is. */
async function withProvider(port: number, parts: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-provider-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const provider = {
    id: 'acme',
    label: 'Acme',
    issuer: `http://127.0.0.1:${port}`,
    clientId: 'gatehouse',
    accounts: [1],
    ...parts,
  };
  const file = join(folder, 'providers.json');
  await writeFile(file, JSON.stringify({ providers: [provider] }), { mode: 0o600 });
  return { IDENTITY_PROVIDERS_FILE: file, GATEHOUSE_DATA_DIR: join(folder, 'none') };
}

/** A port where nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a provider that cannot be reached is a problem, and no database is needed to say so', async () => {
  const port = await freePort();
  const settings = await withProvider(port);
  const outcome = await runHere(settings, [
    'provider',
    'test',
    'acme',
    '--redirect-base',
    'https://gate.example',
  ]);
  expect(outcome).toEqual({
    status: 6,
    stdout: `PROBLEM  discovery: http://127.0.0.1:${port}/.well-known/openid-configuration: http://127.0.0.1:${port} refuses connections\n`,
    stderr:
      'Redirect URI to register at the provider: https://gate.example/sign-in/return/acme\n' +
      'Back-channel log-out URI: https://gate.example/sign-in/log-out/acme\n' +
      'error: 1 problem.\n',
  });
});

test('a file that cannot be used is a mistake of the settings, for every command', async () => {
  const settings = await withProvider(1, { accounts: [] });
  expect(await runHere(settings, ['provider', 'list'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: IDENTITY_PROVIDERS_FILE names ${settings.IDENTITY_PROVIDERS_FILE}: provider "acme": accounts must be a list of ids of accounts, such as [1]\n`,
  });
});

test('without a file there are no providers, and none is tested', async () => {
  expect(await runHere({}, ['provider', 'list', '--jsonl'])).toMatchObject({ status: 0, stdout: '' });
  expect(await runHere({}, ['provider', 'test', 'acme'])).toMatchObject({
    status: 3,
    stderr:
      'error: There are no identity providers: IDENTITY_PROVIDERS_FILE names no file, or a file without providers.\n',
  });
});
