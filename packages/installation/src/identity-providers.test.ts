import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { ProviderId } from '@gatehouse/domain/identity-providers';
import { createCertificates, hasOpenSsl } from '@gatehouse/test-database';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createIdentityProviders } from './identity-providers.ts';
import { installationSettings, parseSettings } from './settings/index.ts';
import { createMonotonicClock, createSystemClock } from './system-ports.ts';

const ID = 'acme' as ProviderId;

/** A provider that knows one client secret, and settings that name it. */
async function openScene(secret: string) {
  const server = createServer(async (request, response) => {
    const issuer = `http://${request.headers.host}`;
    response.setHeader('content-type', 'application/json');
    if (request.url === '/token') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const isKnown = `${Buffer.concat(chunks)}`.includes('client_secret=second');
      response.statusCode = 400;
      response.end(JSON.stringify({ error: isKnown ? 'invalid_grant' : 'invalid_client' }));
      return;
    }
    const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];
    const [page, token, keys] = ['/authorize', '/token', '/keys'].map((path) => issuer + path);
    response.end(
      JSON.stringify(
        request.url === '/keys'
          ? { keys: [{ kty: 'OKP' }] }
          : {
              issuer,
              ...Object.fromEntries(endpoints.map((name, index) => [name, [page, token, keys][index]])),
              token_endpoint_auth_methods_supported: ['client_secret_post'],
            },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-providers-'));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const settings = {
    id: ID,
    label: 'Acme',
    issuer: `http://127.0.0.1:${port}`,
    clientId: 'gatehouse',
    clientSecretFile: 'secret',
    accounts: [1],
  };
  const file = join(folder, 'providers.json');
  await writeFile(file, JSON.stringify({ providers: [settings] }), { mode: 0o600 });
  const store = async (text: string) => {
    await writeFile(join(folder, 'next'), text, { mode: 0o600 });
    await rename(join(folder, 'next'), join(folder, 'secret'));
  };
  await store(secret);
  const parsed = parseSettings(installationSettings, { IDENTITY_PROVIDERS_FILE: file });
  const onProblem = vi.fn();
  const providers = createIdentityProviders(parsed.ok ? parsed.value.IDENTITY_PROVIDERS_FILE : [], {
    clock: createSystemClock(),
    monotonicClock: createMonotonicClock(),
    onProblem,
  });
  const isAccepted = async () =>
    (await providers.test(ID, undefined)).some(
      ({ step, verdict }) => step === 'credentials' && verdict === 'ok',
    );
  return { providers, store, isAccepted, onProblem };
}

test('a client secret that is replaced is used at once, and one that cannot be used is reported', async () => {
  const { providers, store, isAccepted, onProblem } = await openScene('first');
  expect(providers.all.map(({ id }) => id)).toEqual([ID]);
  expect(await isAccepted()).toBe(false);
  await store('second');
  expect(await isAccepted()).toBe(true);
  await store('two\nlines');
  expect(await isAccepted()).toBe(true);
  expect(onProblem).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^clientSecretFile of the provider acme names .* must be the client secret/),
  );
});

test.runIf(hasOpenSsl)('a provider whose certificate is not trusted gets no request', async () => {
  await using certificates = await createCertificates();
  const asked = vi.fn();
  const files = { cert: readFileSync(certificates.cert), key: readFileSync(certificates.key) };
  const server = createTlsServer(files, asked);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const provider = {
    id: ID,
    label: 'Acme',
    issuer: `https://localhost:${(server.address() as AddressInfo).port}`,
    clientId: 'gatehouse',
    clientSecret: undefined,
    scopes: ['openid'],
    accounts: [1 as AccountId],
    linkByEmailOf: [],
    createUsersIn: null,
    roles: null,
  };
  const providers = createIdentityProviders([provider], {
    clock: createSystemClock(),
    monotonicClock: createMonotonicClock(),
    onProblem: () => undefined,
  });
  const [finding] = await providers.test(ID, undefined);
  expect(finding).toMatchObject({
    step: 'discovery',
    verdict: 'problem',
    text: expect.stringContaining('has a certificate that is not accepted'),
  });
  expect(asked).not.toHaveBeenCalled();
});
