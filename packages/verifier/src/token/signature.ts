import { type KeyObject, verify } from 'node:crypto';

/** A token in one of the formats of Gatehouse, whose signature is not checked yet. */
export interface SignedToken {
  readonly format: 'jwt' | 'paseto';
  /** The id of the key that it names. */
  readonly keyId: string;
  readonly message: Buffer;
  readonly signature: Buffer;
}

const HEADER = 'v4.public.';
const SIGNATURE_LENGTH = 64;

/** Reads a token. Undefined if no program of Gatehouse wrote it. */
export function parseToken(token: string): SignedToken | undefined {
  try {
    return token.startsWith(HEADER) ? parsePaseto(token.slice(HEADER.length)) : parseJwt(token);
  } catch {
    return undefined;
  }
}

/** Whether this key signed the token (Ed25519, RFC 8032). */
export const isSigned = ({ message, signature }: SignedToken, key: KeyObject) =>
  verify(null, message, key, signature);

/** PASETO version 4, section Verify, without an implicit assertion. */
function parsePaseto(text: string): SignedToken | undefined {
  const [body = '', foot = '', ...others] = text.split('.');
  const signed = decode(body);
  const footer = decode(foot);
  if (others.length > 0 || signed.length <= SIGNATURE_LENGTH) return undefined;
  const keyId = keyIdOf(JSON.parse(footer.toString()));
  const message = encodePieces([
    Buffer.from(HEADER),
    signed.subarray(0, -SIGNATURE_LENGTH),
    footer,
    Buffer.alloc(0),
  ]);
  return keyId === undefined
    ? undefined
    : { format: 'paseto', keyId, message, signature: signed.subarray(-SIGNATURE_LENGTH) };
}

/** JWS compact serialization (RFC 7515 section 7.1) with EdDSA (RFC 8037). */
function parseJwt(text: string): SignedToken | undefined {
  const [head = '', body = '', tail = '', ...others] = text.split('.');
  const signature = decode(tail);
  if (others.length > 0 || signature.length !== SIGNATURE_LENGTH) return undefined;
  const header = JSON.parse(decode(head).toString());
  decode(body);
  const keyId = keyIdOf(header);
  if (header.alg !== 'EdDSA' || 'crit' in header || keyId === undefined) return undefined;
  return { format: 'jwt', keyId, message: Buffer.from(`${head}.${body}`), signature };
}

function keyIdOf(header: { readonly kid?: unknown } | null): string | undefined {
  return typeof header?.kid === 'string' ? header.kid : undefined;
}

/** Decodes base64url. It refuses other spellings of the same bytes, or one token would have many, each worth a question. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SyntaxError('is not base64url');
  return bytes;
}

/** The pre-authentication encoding of PASETO (Common.md). */
function encodePieces(pieces: readonly Buffer[]): Buffer {
  const size = (count: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(count));
    return bytes;
  };
  return Buffer.concat([size(pieces.length), ...pieces.flatMap((piece) => [size(piece.length), piece])]);
}
