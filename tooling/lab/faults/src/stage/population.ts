import type { TokenId } from '@gatehouse/domain/tokens';
import { migrateToLatest } from '@gatehouse/postgres';
import { createTestDatabase } from '@gatehouse/test-database';
import { adminOf } from './admin.ts';
import type { Settings } from './node.ts';
import { OPERATOR, openInstallation, unwrap } from './store.ts';

/** The contents of a populated database: an account with an admin, an organization and a token. */
export interface Population {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly tokenId: TokenId;
  /** The organization's path. */
  readonly path: string;
}

/** A private populated database, with the settings of servers and commands on it. */
export interface PopulatedDatabase extends Population, AsyncDisposable {
  readonly url: string;
  readonly settings: Settings;
}

/** The admin of the account. */
export const EMAIL = 'ada@acme.example';
const [PASSWORD, PATH] = ['a heavy press, twice', '/api/v1/orgs/1'];

/** The settings of servers and commands on a database. */
export const settingsOf = (url: string): Settings => ({
  DATABASE_URL: url,
  GATEHOUSE_MASTER_KEY: 'A'.repeat(43),
});

/** Populates an empty database. */
export async function populate(settings: Settings): Promise<Population> {
  await fill(settings);
  return issueFirst(settings);
}

/** Opens a copy of the populated database; only the first test of a run populates it. */
export async function openPopulated(more: Settings = {}): Promise<PopulatedDatabase> {
  const schema = { name: 'populated', migrate: (url: string) => fill(settingsOf(url)) };
  const { url, drop } = await createTestDatabase(schema);
  const settings = { ...settingsOf(url), ...more };
  return { ...(await issueFirst(settings)), url, settings, [Symbol.asyncDispose]: drop };
}

async function fill(settings: Settings): Promise<void> {
  await using store = openInstallation(settings);
  await migrateToLatest(store.database);
  unwrap(await store.ensureKeys(OPERATOR));
  const { id: accountId } = unwrap(await store.createAccount(OPERATOR, { name: 'Acme' }));
  const admin = { accountId, email: EMAIL, name: 'Ada', role: 'admin', password: PASSWORD } as const;
  unwrap(await store.createUser(OPERATOR, admin));
  const organization = { accountId, name: 'Press shop', description: null };
  unwrap(await store.createOrganization(OPERATOR, organization));
}

async function issueFirst(settings: Settings): Promise<Population> {
  await using store = openInstallation(settings);
  const { id, secret } = await (await adminOf(store, EMAIL)).issue();
  return { email: EMAIL, password: PASSWORD, token: secret, tokenId: id, path: PATH };
}
