import type { Scope } from '../src/access/index.ts';
import type { Account } from '../src/accounts/index.ts';
import { signIn } from '../src/sign-in/index.ts';
import type { Expiry, NetworksInput, TokenFormat, TokenId } from '../src/tokens/index.ts';
import { issueToken, revokeToken } from '../src/tokens/index.ts';
import type { User } from '../src/users/index.ts';
import { anEvent, givenAccount, givenMember, givenOrganization, unwrap } from './fixtures.ts';
import { givenPerson, inPerson, PASSWORD, type World } from './world.ts';

/** Credentials of the admin of `populate`. */
export const GOOD = { email: 'ada@acme.example', password: PASSWORD };

export type Population = Awaited<ReturnType<typeof populate>>;

/** Creates two accounts with users and organizations, for tests of a server. */
export async function populate(world: World) {
  const account = await givenAccount(world, 'Acme');
  const other = await givenAccount(world, 'Globex');
  const admin = await givenPerson(world, { accountId: account.id, email: GOOD.email });
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
  readonly networks?: NetworksInput;
}

let serial = 0;

/** Issues an API token of an admin. */
export async function apiToken(world: World, admin: User, parts: TokenParts = {}) {
  serial += 1;
  const { scopes = ['*'], format = 'paseto', expiry = 'never', networks } = parts;
  const name = `Token ${serial}`;
  return unwrap(await issueToken(world)(inPerson(admin), { name, format, scopes, expiry, networks }));
}

/** Signs a user in and returns the token. */
export async function signInToken(world: World, { email }: User): Promise<string> {
  const ports = { ...world, format: 'paseto', lifetimeMs: 60_000 } as const;
  return unwrap(await signIn(ports)({ email, password: PASSWORD, address: '192.0.2.1' })).secret;
}

export async function revoke(world: World, admin: User, id: TokenId) {
  unwrap(await revokeToken(world)(inPerson(admin), { id, reason: null }));
}

export const suspend = (world: World, { id }: Account) =>
  world.accounts.suspend(id, world.clock.now(), anEvent({ action: 'account.suspended' }));
