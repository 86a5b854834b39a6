import type { AuthorizationRequest, ProviderFailureReason } from '@gatehouse/domain/identity-providers';
import { START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { type Behaviour, newSigningKey, sign } from './hostile-provider.ts';

/** The acts of a provider or a browser that end one sign-in. */
interface Scene {
  readonly behaviour?: Behaviour;
  readonly request?: Partial<AuthorizationRequest>;
  readonly query?: (query: Map<string, string>) => unknown;
}

const HOUR = 3600;

/** A token endpoint that refuses. */
const refuse = (status: number, error: string): Behaviour => ({
  token: (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  },
});

const redirect: Behaviour['token'] = (_, response) =>
  void response.writeHead(302, { location: 'https://elsewhere.example' }).end();

const NOW = START / 1000;

/** Every reason, with what a provider does that leads to it. */
export const SCENES: Record<ProviderFailureReason, Readonly<Record<string, Scene>>> = {
  provider_unreachable: {
    'the connection is reset': { behaviour: { token: ({ socket }) => void socket.resetAndDestroy() } },
    'the discovery document is not there now': {
      behaviour: { discovery: (_, response) => void response.writeHead(503).end() },
    },
    'the token endpoint fails': { behaviour: refuse(500, 'server_error') },
    'too many requests were sent': {
      behaviour: { token: (_, response) => void response.writeHead(429).end() },
    },
    'the keys are not there now': {
      behaviour: { keys: (_, response) => void response.writeHead(502).end() },
    },
    'the browser comes back with temporarily_unavailable': {
      query: (query) => query.set('error', 'temporarily_unavailable'),
    },
    'its headers never end': {
      behaviour: {
        discovery: ({ socket }) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          const line = `x-header: ${'a'.repeat(1000)}\r\n`;
          const write = () => {
            while (socket.writable && socket.write(line));
          };
          socket.on('drain', write).on('error', () => undefined);
          write();
        },
      },
    },
  },
  provider_misconfigured: {
    'the discovery document is of another issuer': {
      behaviour: { discovery: { issuer: 'https://other.example' } },
    },
    'the discovery document is of an issuer that differs by a slash': {
      behaviour: {
        discovery: (request, response) => void response.end(`{"issuer":"http://${request.headers.host}/"}`),
      },
    },
    'the discovery document is elsewhere': { behaviour: { discovery: redirect } },
    'the discovery document is missing': {
      behaviour: { discovery: (_, response) => void response.writeHead(404).end() },
    },
    'the discovery document is not JSON': {
      behaviour: { discovery: (_, response) => void response.end('<html>') },
    },
    'it has no token endpoint': { behaviour: { discovery: { token_endpoint: undefined } } },
    'its token endpoint is another host with http': {
      behaviour: { discovery: { token_endpoint: 'http://elsewhere.example/token' } },
    },
    'its page is a script': { behaviour: { discovery: { authorization_endpoint: 'javascript:alert(1)' } } },
    'its keys are in a file': { behaviour: { discovery: { jwks_uri: 'file:///etc/passwd' } } },
    'it signs with a shared secret only': {
      behaviour: { discovery: { id_token_signing_alg_values_supported: ['HS256'] } },
    },
    'it has a client authentication that we lack': {
      behaviour: { discovery: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
    },
    'it does not accept the client': { behaviour: refuse(401, 'invalid_client') },
    'it challenges the client': {
      behaviour: {
        token: (_, response) =>
          void response
            .writeHead(401, { 'www-authenticate': 'Basic realm="x", error="invalid_client"' })
            .end(),
      },
    },
    'its token endpoint is missing': {
      behaviour: { token: (_, response) => void response.writeHead(404).end() },
    },
    'the browser comes back with invalid_scope': { query: (query) => query.set('error', 'invalid_scope') },
  },
  provider_denied: {
    'the browser comes back with access_denied': { query: (query) => query.set('error', 'access_denied') },
    'the browser comes back with an unknown error': {
      query: (query) => query.set('error', 'a-secret-code \u0000<script>'),
    },
  },
  answer_malformed: {
    'the state is of another attempt': { query: (query) => query.set('state', 'another') },
    'the state is missing': { query: (query) => query.delete('state') },
    'there is no code': { query: (query) => query.delete('code') },
    'the token endpoint is elsewhere': { behaviour: { token: redirect } },
    'the answer is not JSON': {
      behaviour: { token: (_, response) => void response.end('{"access_token":') },
    },
    'the answer is a list': { behaviour: { token: (_, response) => void response.end('[]') } },
    'the answer never ends': {
      behaviour: {
        token: (_, response) => {
          const write = () => {
            while (response.writable && response.write('x'.repeat(16_384)));
          };
          response.on('drain', write).on('error', () => undefined);
          write();
        },
      },
    },
    'the answer is large': {
      behaviour: { token: { padding: 'x'.repeat(300_000) } },
    },
    'there is no ID token': { behaviour: { token: { id_token: undefined } } },
    'the ID token is encrypted': { behaviour: { token: { id_token: 'a.b.c.d.e' } } },
    'the ID token is not a JWT': { behaviour: { token: { id_token: 'a.b' } } },
    'there are 10,000 keys': {
      behaviour: { keys: { keys: Array.from({ length: 10_000 }, () => ({ kty: 'OKP' })) } },
    },
    'the keys are not a list': { behaviour: { keys: { keys: {} } } },
    'the person has no sub': { behaviour: { claims: { sub: undefined } } },
    'the sub is a number': { behaviour: { claims: { sub: 7 } } },
    'the sub is empty': { behaviour: { claims: { sub: '' } } },
    'the sub has 256 characters': { behaviour: { claims: { sub: 'x'.repeat(256) } } },
    'the sub is not ASCII': { behaviour: { claims: { sub: 'Адa' } } },
    'the sub has a control character': { behaviour: { claims: { sub: 'Ada\u0000' } } },
    'the groups are objects': { behaviour: { claims: { groups: [{ name: 'gatehouse-admins' }] } } },
    'it says more about another person': {
      behaviour: { claims: { email: undefined }, userInfo: { sub: 'Eve', email: 'eve@acme.example' } },
    },
  },
  code_not_accepted: {
    'the code was redeemed before': { behaviour: refuse(400, 'invalid_grant') },
  },
  issuer_mismatch: {
    'the browser comes back with another iss': {
      query: (query) => query.set('iss', 'https://other.example'),
    },
    'the browser comes back without iss, which the provider promised': {
      query: (query) => query.delete('iss'),
    },
    'the ID token is of another issuer': { behaviour: { claims: { iss: 'https://other.example' } } },
  },
  audience_mismatch: {
    'the ID token is for another client': { behaviour: { claims: { aud: 'another-client' } } },
    'the ID token is for several clients and names none as the one': {
      behaviour: { claims: { aud: ['gatehouse', 'another-client'] } },
    },
    'the ID token was issued to another client': { behaviour: { claims: { azp: 'another-client' } } },
  },
  nonce_mismatch: {
    'the nonce is of another attempt': { behaviour: { claims: { nonce: 'another' } } },
    'the nonce is missing': { behaviour: { claims: { nonce: undefined } } },
  },
  algorithm_not_allowed: {
    'the ID token is not signed': {
      behaviour: { sign: (claims) => new UnsecuredJWT(claims).encode() },
    },
    'the ID token is signed with the published key as a shared secret': {
      behaviour: {
        sign: (claims, { publicJwk }) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'HS256', kid: 'first' })
            .sign(Buffer.from(JSON.stringify(publicJwk))),
      },
    },
    'the ID token is signed with an algorithm that is not listed': {
      behaviour: {
        sign: async (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'ES384', kid: 'first' })
            .sign((await generateKeyPair('ES384')).privateKey),
      },
    },
  },
  signature_invalid: {
    'the ID token is signed with another key of the same name': {
      behaviour: { sign: async (claims) => sign(claims, await newSigningKey()) },
    },
    'the ID token is signed with a key that is not published': {
      behaviour: { sign: async (claims) => sign(claims, await newSigningKey(), { kid: 'unknown' }) },
    },
    'the key is broken': {
      behaviour: { keys: { keys: [{ kty: 'EC', kid: 'first', crv: 'P-256', x: '!', y: '!' }] } },
    },
    'only secret keys are published': {
      behaviour: { keys: { keys: [{ kty: 'oct', kid: 'first', k: 'AA' }] } },
    },
  },
  id_token_expired: {
    'the ID token has expired': { behaviour: { claims: { exp: NOW - HOUR } } },
    'the ID token never expires': { behaviour: { claims: { exp: undefined } } },
    'the ID token is issued in the future': { behaviour: { claims: { iat: NOW + 31 } } },
    'the ID token is not valid yet': { behaviour: { claims: { nbf: NOW + 31 } } },
  },
  authentication_too_old: {
    'the person authenticated an hour ago': {
      request: { mustAuthenticate: true },
      behaviour: { claims: { auth_time: NOW - HOUR } },
    },
    'the person authenticated before the attempt began': {
      request: { mustAuthenticate: true, begunAt: addMilliseconds(START, -120_000) },
      behaviour: { claims: { auth_time: NOW - 120 - 32 } },
    },
    'the provider does not say when the person authenticated': {
      request: { mustAuthenticate: true },
      behaviour: { claims: { auth_time: undefined } },
    },
  },
};
