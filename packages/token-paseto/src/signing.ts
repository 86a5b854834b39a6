import type { KeyPair } from '@gatehouse/domain/tokens';
import { signEd25519 } from '@gatehouse/ed25519';
import { PAE } from 'paseto';

const HEADER = 'v4.public.';

/** A token's parts beside its header and signature, none of them empty but the assertion. */
interface SignedParts {
  readonly payload: Uint8Array;
  readonly footer: Uint8Array;
  /** What is signed and not part of the token; our tokens have none. */
  readonly implicitAssertion?: Uint8Array;
}

/**
 * Returns a signed token (PASETO version 4, section Sign).
 *
 * Not by the library: its Web Crypto would import the key three times for each token, and it parses the payload that it has just
 * written.
 */
export function signPublic(
  { payload, footer, implicitAssertion = new Uint8Array() }: SignedParts,
  key: KeyPair,
) {
  const signature = signEd25519(PAE([Buffer.from(HEADER), payload, footer, implicitAssertion]), key);
  return `${HEADER}${encode(Buffer.concat([payload, signature]))}.${encode(footer)}`;
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
