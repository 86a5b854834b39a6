import { ensureKeys, type KeyEncryption, type SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { Clock } from '@gatehouse/domain/time';
import type { TokenSigner } from '@gatehouse/domain/tokens';
import { createSystemClock } from '@gatehouse/installation';
import { createKeyEncryption, parseMasterKey } from '@gatehouse/key-encryption';
import {
  createPostgresRepositories,
  type Database,
  migrateToLatest,
  openDatabase,
} from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';

/** A Gatehouse database without a server, with the ports for signing tokens. */
export interface Store extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly signingKeys: SigningKeyRepository;
  readonly signers: readonly TokenSigner[];
  readonly encryption: KeyEncryption;
}

/** Migrates the schema, and makes sure that there are signing keys. */
export async function openWithKeys(url: string, masterKeyText: string): Promise<Store> {
  const masterKey = parseMasterKey(masterKeyText);
  if (!masterKey.ok) throw new Error(masterKey.error.message);
  const database = openDatabase({ url, poolSize: 2 });
  await migrateToLatest(database);
  const store: Store = {
    url,
    database,
    clock: createSystemClock(),
    signingKeys: createPostgresRepositories(database).signingKeys,
    signers: [createPasetoTokenSigner(), createJwtTokenSigner()],
    encryption: createKeyEncryption({ masterKey: masterKey.value }),
    [Symbol.asyncDispose]: () => database.close(),
  };
  const ensured = await ensureKeys(store)({ kind: 'operator', name: 'bench', origin: 'bench' });
  if (!ensured.ok) throw new Error(ensured.error.code);
  return store;
}
