import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { serve } from './loopback-server.ts';
import { CLIENT } from './real-provider.ts';

type Json = Readonly<Record<string, unknown>>;
type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** The parts of a provider that a test may replace. The others behave well. */
export interface Behaviour {
  readonly discovery?: Json | Handle;
  readonly token?: Json | Handle;
  readonly keys?: Json | Handle;
  readonly userInfo?: Json | Handle;
  /** Claims that differ from those of a good ID token; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs the claims of the ID token otherwise. */
  readonly sign?: (claims: JWTPayload, key: SigningKey) => string | Promise<string>;
}

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: Json;
}

export async function newSigningKey(kid = 'first'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

export function sign(claims: JWTPayload, { privateKey }: SigningKey, header: Json = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(privateKey);
}

/** A provider on this machine that does what a test tells it to. It is at no time asked for a page. */
export async function openHostileProvider(now: () => number) {
  const key = await newSigningKey();
  let behaviour: Behaviour = {};
  let nonce: string | null = null;
  /** The paths of the requests, in their order. */
  const requests: string[] = [];

  function goodClaims(): JWTPayload {
    const issuedAt = Math.floor(now() / 1000);
    return {
      iss: server.origin,
      aud: CLIENT.id,
      sub: 'Ada',
      nonce,
      iat: issuedAt,
      exp: issuedAt + 300,
      auth_time: issuedAt,
      email: 'ada@acme.example',
      email_verified: true,
      name: 'Ada',
      groups: ['gatehouse-admins'],
    };
  }

  async function goodAnswers(): Promise<Readonly<Record<string, Json>>> {
    const claims = JSON.parse(JSON.stringify({ ...goodClaims(), ...behaviour.claims }));
    return {
      '/.well-known/openid-configuration': {
        issuer: server.origin,
        authorization_endpoint: `${server.origin}/authorize`,
        token_endpoint: `${server.origin}/token`,
        jwks_uri: `${server.origin}/keys`,
        userinfo_endpoint: `${server.origin}/userinfo`,
        id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        backchannel_logout_supported: true,
      },
      '/token': {
        access_token: 'an-access-token',
        token_type: 'Bearer',
        id_token: await (behaviour.sign ?? sign)(claims, key),
      },
      '/keys': { keys: [key.publicJwk] },
      '/userinfo': { sub: 'Ada' },
    };
  }

  const server = await serve(async (request, response) => {
    const path = `${request.url}`;
    requests.push(path);
    const replaced: Readonly<Record<string, Json | Handle | undefined>> = {
      '/.well-known/openid-configuration': behaviour.discovery,
      '/token': behaviour.token,
      '/keys': behaviour.keys,
      '/userinfo': behaviour.userInfo,
    };
    const part = replaced[path];
    if (typeof part === 'function') return part(request, response);
    const good = (await goodAnswers())[path];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...good, ...part }));
  });

  return {
    issuer: server.origin,
    key,
    requests,
    goodClaims,
    behave(next: Behaviour) {
      behaviour = next;
    },
    /** The answer of the person's browser, which carries nothing but what the address of the request had. */
    comeBack(address: string): Map<string, string> {
      const asked = new URL(address).searchParams;
      nonce = asked.get('nonce');
      return new Map([
        ['code', 'a-secret-code'],
        ['state', `${asked.get('state')}`],
        ['iss', server.origin],
      ]);
    },
    close: server.close,
  };
}
