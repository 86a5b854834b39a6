import type { TokenId } from '@gatehouse/domain/tokens';
import { migrateToLatest } from '@gatehouse/postgres';
import type { Settings } from './node.ts';
import { openInstallation, unwrap } from './store.ts';

/** Creates an account with an admin, an organization and a token, in an empty database. */
export interface Population {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly tokenId: TokenId;
  /** The organization's path. */
  readonly path: string;
}

const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;

export async function populate(settings: Settings): Promise<Population> {
  const [email, password] = ['ada@acme.example', 'a heavy press, twice'];
  await using store = openInstallation(settings);
  await migrateToLatest(store.database);
  unwrap(await store.ensureKeys(OPERATOR));
  const { id: accountId } = unwrap(await store.createAccount(OPERATOR, { name: 'Acme' }));
  const admin = { accountId, email, name: 'Ada', role: 'admin', password } as const;
  unwrap(await store.createUser(OPERATOR, admin));
  const organization = { accountId, name: 'Press shop', description: null };
  const { id } = unwrap(await store.createOrganization(OPERATOR, organization));
  const ada = unwrap(await store.actAs(email, 'test'));
  const input = { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  const { secret, record } = unwrap(await store.issueToken(ada, input));
  return { email, password, token: secret, tokenId: record.id, path: `/api/v1/orgs/${id}` };
}
