import type { Scope } from '@gatehouse/domain/access';
import type { Account } from '@gatehouse/domain/accounts';
import { signIn } from '@gatehouse/domain/sign-in';
import {
  anEvent,
  givenAccount,
  givenMember,
  givenOrganization,
  givenPerson,
  inPerson,
  PASSWORD,
  type World,
} from '@gatehouse/domain/testing';
import type { Expiry, TokenFormat, TokenId } from '@gatehouse/domain/tokens';
import { issueToken, revokeToken } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { type Call, call } from './client.ts';
import { done } from './done.ts';
import type { ExampleFacts } from './examples.ts';
import { type ServedWorld, type ServeOptions, serveWorld } from './serve-world.ts';

/** Two accounts for the tests of routes. */
export async function populate(world: World) {
  const account = await givenAccount(world, 'Acme');
  const other = await givenAccount(world, 'Globex');
  const admin = await givenPerson(world, { accountId: account.id, email: 'ada@acme.example' });
  const member = await givenPerson(world, {
    accountId: account.id,
    email: 'ben@acme.example',
    role: 'member',
  });
  const shared = await givenOrganization(world, account.id);
  await givenMember(world, shared.id, member.id);
  return {
    account,
    admin,
    member,
    /** An organization that the member belongs to. */
    shared,
    /** An organization that the member does not belong to. */
    closed: await givenOrganization(world, account.id),
    /** An organization of another account. */
    foreign: await givenOrganization(world, other.id),
  };
}

export interface TokenParts {
  readonly scopes?: readonly Scope[];
  readonly format?: TokenFormat;
  readonly expiry?: Expiry;
}

let serial = 0;

/** Issues an API token of an admin. */
export async function apiToken(world: World, admin: User, parts: TokenParts = {}) {
  serial += 1;
  const { scopes = ['*'], format = 'paseto', expiry = 'never' } = parts;
  const name = `Token ${serial}`;
  return done(await issueToken(world)(inPerson(admin), { name, format, scopes, expiry }));
}

/** Signs a user in and returns the token. */
export async function signInToken(world: World, { email }: User): Promise<string> {
  const ports = { ...world, format: 'paseto', lifetimeMs: 60_000 } as const;
  return done(await signIn(ports)({ email, password: PASSWORD, address: '192.0.2.1' })).secret;
}

export async function revoke(world: World, admin: User, id: TokenId) {
  done(await revokeToken(world)(inPerson(admin), { id, reason: null }));
}

export const suspend = (world: World, { id }: Account) =>
  world.accounts.suspend(id, world.clock.now(), anEvent({ action: 'account.suspended' }));

/** What the examples of all routes refer to. */
export async function factsOf(
  { examples }: Pick<ServedWorld, 'examples'>,
  { admin, shared, closed, foreign }: Awaited<ReturnType<typeof populate>>,
): Promise<ExampleFacts> {
  const extensions = await Promise.all(
    examples.map(async (each) => ({
      routes: each.routes,
      examples: await each.examples({ shared, closed, foreign }),
    })),
  );
  return { shared: shared.id, closed: closed.id, foreign: foreign.id, email: admin.email, extensions };
}

/** Starts a server in memory with these people, and asks with an API token of the admin. */
export async function servePeople(options?: ServeOptions) {
  const served = await serveWorld(options);
  const people = await populate(served.world);
  const { secret: token } = await apiToken(served.world, people.admin);
  return {
    ...served,
    people,
    facts: await factsOf(served, people),
    token,
    get: (path: string, request: Call = {}) => call(served.url, path, { token, ...request }),
  };
}
