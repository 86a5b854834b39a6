import type { KeyPair } from '@gatehouse/domain/tokens';
import { signEd25519 } from '@gatehouse/ed25519';

/**
 * Returns a JWS in compact serialization (RFC 7515 section 7.1), signed with Ed25519 (RFC 8037 section 3.1).
 *
 * Not by jose, whose Web Crypto would import the key for each token.
 */
export function signCompact(header: object, payload: Uint8Array, key: KeyPair): string {
  const signed = `${encode(Buffer.from(JSON.stringify(header)))}.${encode(payload)}`;
  return `${signed}.${encode(signEd25519(Buffer.from(signed), key))}`;
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
