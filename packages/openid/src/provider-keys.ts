import type { MonotonicClock } from '@gatehouse/domain/time';
import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import type { Exchange } from './bounded-fetch.ts';
import { ExchangeError } from './exchange-error.ts';
import { isObject, parseJsonObject } from './json-object.ts';
import { remembered } from './remembered.ts';
import type { ExchangeLimits } from './settings.ts';

/** Verifies a token with a key. Throws an error of jose if the token is not accepted. */
type Verify<T> = (key: JWTVerifyGetKey) => Promise<T>;

export interface ProviderKeys {
  /** Verifies a token with the key that it names. Reads the keys again if they lack it: the provider may have a new one. */
  verifyWith<T>(exchange: Exchange, verify: Verify<T>): Promise<T>;
  read(exchange: Exchange): Promise<readonly JWK[]>;
}

export function createProviderKeys(
  readKeys: () => Promise<readonly JWK[]>,
  { keysAgeMs, freshKeysMs }: ExchangeLimits,
  clock: MonotonicClock,
): ProviderKeys {
  const keys = remembered(readKeys, keysAgeMs, clock);
  return {
    read: ({ within }) => within(keys.get()),
    async verifyWith({ within }, verify) {
      try {
        return await verifyByAny(await within(keys.get()), verify);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return verifyByAny(await within(keys.get(freshKeysMs)), verify);
      }
    },
  };
}

/** A key that cannot be used, such as one that is too short, is an error of the provider. */
async function verifyByAny<T>(keys: readonly JWK[], verify: Verify<T>): Promise<T> {
  try {
    return await verifyByEach(keys, verify);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw error;
    throw new ExchangeError('signature_invalid', 'the key of the token cannot be used');
  }
}

/** A token without a key id may fit several keys. */
async function verifyByEach<T>(keys: readonly JWK[], verify: Verify<T>): Promise<T> {
  try {
    return await verify(createLocalJWKSet({ keys: [...keys] }));
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await verify(async () => key);
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Requests the keys of a provider (RFC 7517 section 5). Keys of a kind that we do not know are left out. */
export async function fetchKeys(
  address: string,
  { fetch }: Exchange,
  { keys: most }: ExchangeLimits,
): Promise<readonly JWK[]> {
  const answer = await fetch(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  });
  const reason =
    answer.status >= 500 || answer.status === 429 ? 'provider_unreachable' : 'provider_misconfigured';
  if (answer.status !== 200)
    throw new ExchangeError(reason, `the address of the keys answers with status ${answer.status}`);
  const keys = parseJsonObject(await answer.text())?.keys;
  if (!Array.isArray(keys))
    throw new ExchangeError('answer_malformed', 'the address of the keys has no list of keys');
  if (keys.length > most)
    throw new ExchangeError('answer_malformed', `the provider has more than ${most} keys`);
  return keys.filter((key): key is JWK => isObject(key) && typeof key.kty === 'string' && key.kty !== 'oct');
}
