import type { KeyId } from '@gatehouse/domain/signing-keys';
import { TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';

/** Returns the header of every token that this key signs, in the only order that is written and accepted. */
export function headerFor(id: KeyId): { readonly alg: 'EdDSA'; readonly typ: 'JWT'; readonly kid: KeyId } {
  return { alg: 'EdDSA', typ: 'JWT', kid: id };
}

const KEY_ID = /^[A-Za-z0-9_-]{43}$/;

/** The length of that header in base64url: all key ids are equally long. */
const HEADER_LENGTH = encode('0'.repeat(43) as KeyId).length;
const BEFORE_KEY_ID = '{"alg":"EdDSA","typ":"JWT","kid":"'.length;

/** Returns the key id in the header, unverified; undefined if the header is not exactly one of ours. */
export function keyIdOf(token: string): KeyId | undefined {
  if (token.length > TOKEN_MAX_LENGTH || token[HEADER_LENGTH] !== '.') return undefined;
  const header = token.slice(0, HEADER_LENGTH);
  const id = Buffer.from(header, 'base64url').toString('latin1').slice(BEFORE_KEY_ID, -'"}'.length);
  return KEY_ID.test(id) && encode(id as KeyId) === header ? (id as KeyId) : undefined;
}

function encode(id: KeyId): string {
  return Buffer.from(JSON.stringify(headerFor(id))).toString('base64url');
}
