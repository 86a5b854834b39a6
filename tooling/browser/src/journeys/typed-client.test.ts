import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenApiDocument } from '@gatehouse/api-contract';
import { buildClient } from '@gatehouse/build-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPage } from '../index.ts';
import { worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  const document = JSON.parse(JSON.stringify(createOpenApiDocument('paseto')));
  execFileSync('tar', ['-xzf', buildClient(folder, document), '-C', folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the packed client signs in and reads as a module of a page', async () => {
  await using page = await newPage();
  const { url, acme } = world();
  // A page of the same origin that is not ours: ours run no scripts but their own.
  await page.route(`${url}/client/**`, (route) => {
    const name = new URL(route.request().url()).pathname.replace('/client/', '');
    if (name === '')
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Client</title>' });
    const body = readFileSync(join(folder, 'package/dist', name), 'utf8');
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await page.goto(`${url}/client/`);
  const { email, password } = acme.admin;
  const told = await page.evaluate(`(async () => {
    const { createClient } = await import('/client/index.js');
    const client = createClient({ baseUrl: location.origin });
    const signedIn = await client.signIn(${JSON.stringify({ email, password })});
    const me = await createClient({ baseUrl: location.origin, token: signedIn.body.token }).me();
    return [signedIn.status, me.status, me.body.email, me.tokenExpiresAt > new Date()];
  })()`);
  expect(told).toEqual([200, 200, email, true]);
});
