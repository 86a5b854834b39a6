import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Gatehouse } from '../gatehouse.ts';
import { isSigned, parseToken, type SignedToken } from './signature.ts';

/** The result for a signature; `unknown` if the keys have to be fetched first. */
export type SignatureCheck = 'valid' | 'invalid' | 'unknown';

/** The public keys of Gatehouse. */
export interface KeyRing {
  /** Checks with the keys that are here. */
  check(token: string): SignatureCheck;
  /**
   * Fetches the keys again if the token names one that is not here, at most once a second. `unknown` if a fetch has to wait or
   * failed.
   */
  follow(token: string): Promise<SignatureCheck>;
}

/** A forged token can name any key, so this bounds the fetches that it causes. */
const PAUSE_MS = 1000;
const MAX_BYTES = 256 * 1024;

/** @param now monotonic, in milliseconds */
export function createKeyRing(gatehouse: Gatehouse, now: () => number): KeyRing {
  let keys = new Map<string, KeyObject>();
  /** When the request was sent from which `keys` came. */
  let knownAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  function checkSigned(token: SignedToken | undefined): SignatureCheck {
    if (!token) return 'invalid';
    const key = keys.get(`${token.format} ${token.keyId}`);
    if (!key) return 'unknown';
    return isSigned(token, key) ? 'valid' : 'invalid';
  }

  async function fetchKeys(): Promise<void> {
    const sentAt = now();
    triedAt = sentAt;
    const [jwks, paserk] = await Promise.all([
      gatehouse.getJson('/.well-known/jwks.json', MAX_BYTES),
      gatehouse.getJson('/.well-known/paserk.json', MAX_BYTES),
    ]);
    keys = new Map([
      ...keysOf(jwks).map(({ kid, x }) => [`jwt ${kid}`, toKey(`${x}`)] as const),
      ...keysOf(paserk).map(
        ({ kid, key }) => [`paseto ${kid}`, toKey(`${key}`.replace(/^k4\.public\./, ''))] as const,
      ),
    ]);
    knownAt = sentAt;
  }

  return {
    check: (token) => checkSigned(parseToken(token)),
    async follow(text) {
      const token = parseToken(text);
      const known = checkSigned(token);
      if (known !== 'unknown') return known;
      const askedAt = now();
      if (!fetching && askedAt - triedAt >= PAUSE_MS) {
        fetching = fetchKeys().finally(() => {
          fetching = undefined;
        });
      }
      await fetching?.catch(() => undefined);
      const found = checkSigned(token);
      // Only keys that were asked for after the token arrived prove that Gatehouse has no such key.
      return found === 'unknown' && knownAt >= askedAt ? 'invalid' : found;
    },
  };
}

function keysOf(set: unknown): Record<string, unknown>[] {
  const { keys } = set as { readonly keys: Record<string, unknown>[] };
  return keys;
}

const toKey = (x: string) => createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
