import { createPrivateKey, sign } from 'node:crypto';
import { openActiveKey } from '@gatehouse/domain/signing-keys';
import { unwrap } from '@gatehouse/domain/testing';
import type { KeyPair, TokenFormat } from '@gatehouse/domain/tokens';
import type { DemoServer } from './postgres-server.ts';

/** Returns a server's active key, for forgeries that no attacker could create. */
export async function activeKeyOf({ container }: DemoServer, format: TokenFormat): Promise<KeyPair> {
  const { repositories, encryption } = container.services;
  return unwrap(await openActiveKey({ signingKeys: repositories.signingKeys, encryption }, format));
}

/** Returns the signed text, which is JSON. */
export function payloadOf(token: string, format: TokenFormat): string {
  const part = Buffer.from(token.split('.')[format === 'jwt' ? 1 : 2] ?? '', 'base64url');
  return (format === 'jwt' ? part : part.subarray(0, -64)).toString();
}

/** Creates a token with any payload, signed as by the server. */
export function forge(payload: string | Uint8Array, format: TokenFormat, key: KeyPair): string {
  return format === 'jwt' ? forgeJwt(payload, key) : forgePaseto(payload, key);
}

export const encode = (part: string | Uint8Array) => Buffer.from(part).toString('base64url');

export const jwtHeader = ({ id }: Pick<KeyPair, 'id'>) => `{"alg":"EdDSA","typ":"JWT","kid":"${id}"}`;

/** RFC 7515 section 5.1, with any header. */
export function forgeJwt(payload: string | Uint8Array, key: KeyPair, header = jwtHeader(key)): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${encode(sign(null, Buffer.from(signed), privateKey(key)))}`;
}

export const pasetoFooter = ({ id }: Pick<KeyPair, 'id'>) => `{"kid":"${id}"}`;

/** PASETO version 4, Common.md and Version4.md, with any header and footer. */
export function forgePaseto(
  payload: string | Uint8Array,
  key: KeyPair,
  header = 'v4.public.',
  footer = pasetoFooter(key),
): string {
  const pieces = [header, payload, footer, ''].map((piece) => Buffer.from(piece));
  const signed = Buffer.concat([count(pieces.length), ...pieces.flatMap((one) => [count(one.length), one])]);
  const body = Buffer.concat([Buffer.from(payload), sign(null, signed, privateKey(key))]);
  return `${header}${encode(body)}.${encode(footer)}`;
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function privateKey({ publicKey, secretKey }: KeyPair) {
  const key = { kty: 'OKP', crv: 'Ed25519', x: encode(publicKey), d: encode(secretKey) };
  return createPrivateKey({ format: 'jwk', key });
}
