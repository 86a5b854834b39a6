// A service that checks the signature and the end of a JWT, and nothing else. It accepts revoked tokens, and knows no scopes.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { announce, given } from './announce.ts';

const body = given('BODY');
const found = await fetch(`${given('GATEHOUSE_URL')}/.well-known/jwks.json`);
const { keys: jwks } = (await found.json()) as {
  readonly keys: readonly { readonly kid: string; readonly x: string }[];
};
const keys = new Map<string, KeyObject>(
  jwks.map(({ kid, x }) => [kid, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })]),
);

announce(
  createServer((request, response) => {
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !isSigned(token)) {
      response.writeHead(401).end();
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  }),
);

function isSigned(token: string): boolean {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { alg, kid } = parse(head);
  const key = keys.get(`${kid}`);
  if (alg !== 'EdDSA' || !key) return false;
  if (!verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))) return false;
  const { iss, aud, exp } = parse(claims);
  const isCurrent = exp === undefined || Number(exp) * 1000 > Date.now();
  return iss === 'gatehouse' && aud === 'gatehouse-api' && isCurrent;
}

function parse(part: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
