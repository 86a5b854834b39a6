import type { KeyId } from '@gatehouse/domain/signing-keys';
import { TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';

const HEADER = 'v4.public.';
const KEY_ID = /^k4\.pid\.[A-Za-z0-9_-]{44}$/;

/** Returns the footer of every token that this key signs. It has the key id and nothing else. */
export function footerFor(id: KeyId): string {
  return JSON.stringify({ kid: id });
}

/** The length of that footer in base64url: all key ids are equally long. */
const FOOTER_LENGTH = encode(footerFor(`k4.pid.${'0'.repeat(44)}` as KeyId)).length;

/** Returns the key id in the footer, unverified; undefined if the footer is not exactly one of ours. */
export function keyIdOf(token: string): KeyId | undefined {
  if (token.length > TOKEN_MAX_LENGTH || !token.startsWith(HEADER)) return undefined;
  if (token.at(-FOOTER_LENGTH - 1) !== '.') return undefined;
  const footer = token.slice(-FOOTER_LENGTH);
  const id = Buffer.from(footer, 'base64url').toString('latin1').slice('{"kid":"'.length, -'"}'.length);
  return KEY_ID.test(id) && encode(footerFor(id as KeyId)) === footer ? (id as KeyId) : undefined;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
