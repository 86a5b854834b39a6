import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT, follow, openRealProvider, PERSON_HEADER } from '@gatehouse/openid/testing';
import { type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { createVisitor, type Visitor } from '../stage/visitor.ts';

export const ORIGIN = 'https://gatehouse.example';
export const RETURN_PATH = '/sign-in/return/acme';
export const LOG_OUT_PATH = '/sign-in/log-out/acme';

/** The groups of the provider that give roles. */
export const [ADMINS, STAFF] = ['gatehouse-admins', 'staff'];

/** Starts two servers on one database, and oidc-provider, in which people sign in by their name. */
export async function openProviderSite(more: Settings = {}) {
  await using ending = new AsyncDisposableStack();
  const database = ending.use(await openPopulated());
  const real = await openRealProvider(`${ORIGIN}${RETURN_PATH}`);
  ending.defer(() => real.close());
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-providers-'));
  ending.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secret'), CLIENT.secret, { mode: 0o600 });
  const provider = {
    id: 'acme',
    label: 'Acme',
    issuer: real.origin,
    clientId: CLIENT.id,
    clientSecretFile: 'secret',
    accounts: [1],
    linkByEmailOf: ['acme.example'],
    roles: {
      claim: 'groups',
      rules: [
        { value: ADMINS, role: 'admin' },
        { value: STAFF, role: 'member' },
      ],
    },
  };
  const file = join(folder, 'providers.json');
  await writeFile(file, JSON.stringify({ providers: [provider] }), { mode: 0o600 });
  const settings = { ...database.settings, PUBLIC_URL: ORIGIN, IDENTITY_PROVIDERS_FILE: file, ...more };
  const start = async () => ending.use(await startNode(settings));
  const nodes = [await start(), await start()] as const;
  const kept = ending.move();

  return {
    database,
    nodes,
    logOutToken: real.logOutToken,
    /** Lets the provider go away. */
    goAway: () => real.close(),
    visitorOf: (url: string) => createVisitor({ origin: ORIGIN, urls: [url] }),
    /** Lets a person of these groups sign in at the provider. Returns the path with which the browser comes back. */
    async atProvider(location: string, subject: string, groups: readonly string[]) {
      const email = `${subject}@acme.example`;
      real.people.set(subject, { subject, email, isEmailVerified: true, name: subject, groups });
      const query = await follow(location, `${ORIGIN}${RETURN_PATH}`, { [PERSON_HEADER]: subject });
      return `${RETURN_PATH}?${new URLSearchParams([...query] as [string, string][])}`;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Begins a sign-in, and returns the address at the provider. */
export async function begin(visitor: Visitor): Promise<string> {
  const { headers } = await visitor.ask('/sign-in/with/acme?next=%2Fsettings%2Fprofile');
  return headers.location ?? '';
}

/** Moves the cookies of a browser to another server, as a load balancer does. */
export function movedTo(visitor: Visitor, from: Visitor): Visitor {
  for (const [name, value] of from.cookies) visitor.cookies.set(name, value);
  return visitor;
}
