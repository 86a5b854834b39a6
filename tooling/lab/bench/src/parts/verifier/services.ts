import { OPERATOR, type Store, unwrap } from '@gatehouse/faults/store';
import { type Directory, openDirectory } from '../../population/directory.ts';
import { createTokensInUse, type TokenInUse } from '../../population/tokens-in-use.ts';
import type { Stage } from '../../stage.ts';

/** A service that accepts tokens of Gatehouse. */
export interface BenchService {
  readonly name: string;
  /** The scope that its tokens have. */
  readonly scope: string;
  readonly credential: string;
}

/** The number of organizations with which a directory has one user for each of `tokens` tokens. */
const ORGANIZATIONS_PER_USER = 10;

/**
 * Opens a directory in which each of so many tokens has its own user: an answer about a token depends on its user, so tokens of
 * one user would share memory.
 */
export const openUsers = (stage: Stage, name: string, tokens: number): Promise<Directory> =>
  openDirectory(stage, name, tokens * ORGANIZATIONS_PER_USER);

/** Creates a service with one scope and a credential, open to all accounts. */
export async function createBenchService(
  { store }: { readonly store: Store },
  name: string,
): Promise<BenchService> {
  const scope = `${name}:read`;
  const created = unwrap(await store.createService(OPERATOR, { name, description: null, openTo: 'all' }));
  unwrap(
    await store.addServiceScope(OPERATOR, { scope, label: `Read ${name}`, allows: `May read ${name}.` }),
  );
  const made = await store.createServiceCredential(OPERATOR, { service: created.name, expiry: 'never' });
  return { name, scope, credential: unwrap(made).secret };
}

/** Creates tokens with the scope of a service. */
export const createServiceTokens = (
  directory: Directory,
  { scope }: BenchService,
  count: number,
  prefix: string,
  format: 'paseto' | 'jwt' = 'paseto',
): Promise<readonly TokenInUse[]> => createTokensInUse(directory, count, prefix, format, [scope]);

/** The token of a request. */
export const tokenOf = ({ request }: Pick<TokenInUse, 'request'>): string =>
  `${request.headers.authorization}`.slice('Bearer '.length);
