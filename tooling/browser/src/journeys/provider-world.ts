import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { CLIENT, openRealProvider, PERSON_HEADER } from '@gatehouse/openid/testing';
import { fillServedFolder } from '@gatehouse/test-database/served-folder';
import type { Page } from 'playwright-core';
import { startWorld } from '../index.ts';
import { addGlobex } from '../world/start-world.ts';

/** The longest label that the settings accept. */
export const LONG_LABEL = 'Employees and guests of Acme Warehousing and Logistics, EMEA';

/** A provider that nothing serves, so it cannot be reached. */
const AWAY = 'http://127.0.0.1:9';

export type ProviderWorld = Awaited<ReturnType<typeof startProviderWorld>>;

interface ProviderWorldOptions {
  /** The providers of the settings: one that works, or one that works, one that demands a group and one that is away. */
  readonly providers: 'one' | 'three';
  readonly passwords?: 'on' | 'break-glass';
}

/**
 * Starts a server whose people sign in with identity providers, which serve the account Acme. At the providers, a person
 * whom `people` names is signed in without a page.
 */
export async function startProviderWorld({ providers, passwords = 'on' }: ProviderWorldOptions) {
  await using started = new AsyncDisposableStack();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const open = async (id: string) => {
    const provider = await openRealProvider(`${origin}/sign-in/return/${id}`);
    started.defer(() => provider.close());
    return provider;
  };
  const acme = await open('acme');
  const groups = providers === 'three' ? await open('groups') : acme;
  const common = { clientId: CLIENT.id, clientSecretFile: 'client-secret', accounts: [1] };
  const roles = { claim: 'groups', rules: [{ value: 'gatehouse-admins', role: 'admin' }] };
  const all = [
    { ...common, id: 'acme', label: 'Entra ID', issuer: acme.origin, linkByEmailOf: ['acme.example'] },
    { ...common, id: 'groups', label: LONG_LABEL, issuer: groups.origin, roles },
    { ...common, id: 'away', label: 'Keycloak', issuer: AWAY },
  ];
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-providers-'));
  started.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, 'providers.json');
  await writeFile(join(folder, 'client-secret'), CLIENT.secret, { mode: 0o600 });
  await writeFile(file, JSON.stringify({ providers: all.slice(0, providers === 'one' ? 1 : 3) }), {
    mode: 0o600,
  });
  const world = await startWorld({
    fill: (data) => fillServedFolder(data, fillDataFolder, { name: 'globex', add: addGlobex }),
    hasGlobex: true,
    settings: {
      PORT: `${port}`,
      PUBLIC_URL: origin,
      PASSWORD_SIGN_IN: passwords,
      IDENTITY_PROVIDERS_FILE: file,
    },
  });
  started.use(world);
  const kept = started.move();

  return {
    ...world,
    url: origin,
    /** Lets the browser be this person at the providers, with an address of this name. */
    async be(page: Page, name: string, email = `${name}@acme.example`) {
      for (const { people } of [acme, groups])
        people.set(name, { subject: name, email, isEmailVerified: true, name, groups: [] });
      await page.setExtraHTTPHeaders({ [PERSON_HEADER]: name });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
