import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** A set of public keys. Keys can be activated and retired at any time, so a cached response must be revalidated. */
function keySet<Key extends z.ZodRawShape>(name: string, description: string, key: Key) {
  const body = named(name, z.strictObject({ keys: z.array(z.strictObject(key)) }));
  return { status: 200, description, body, cacheControl: 'no-cache' } as const;
}

export const getJwks = defineRoute({
  operationId: 'getJwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Keys',
  summary: 'Get the public keys of JWTs',
  description:
    'For programs that verify JWTs themselves. A signature does not tell whether its token was revoked.',
  public: true,
  // RFC 7517 section 5, RFC 8037 section 2. The examples are the key and the thumbprint of RFC 8037 appendix A.
  success: keySet('JsonWebKeySet', 'The keys under which JWTs are accepted now.', {
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string().meta({
      description: 'The public key, in base64url (RFC 8037 section 2).',
      example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }),
    kid: z.string().meta({
      description: 'The key id in the header of a token: the thumbprint of the key (RFC 7638).',
      example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    }),
    alg: z.literal('EdDSA'),
    use: z.literal('sig'),
  }),
});

export const getPaserkKeys = defineRoute({
  operationId: 'getPaserkKeys',
  method: 'GET',
  path: '/.well-known/paserk.json',
  tag: 'Keys',
  summary: 'Get the public keys of PASETO tokens',
  description:
    'For programs that verify PASETO tokens themselves. A signature does not tell whether its token was revoked.',
  public: true,
  // PASERK. The examples are the test vectors of PASERK for the key whose bytes are all zero.
  success: keySet('PaserkKeySet', 'The keys under which PASETO tokens are accepted now.', {
    kid: z
      .string()
      .regex(/^k4\.pid\.[\w-]+$/)
      .meta({
        description: 'The key id in the footer of a token.',
        example: 'k4.pid.S_XQmeEwHbbvRmiyfXfHYpLGjXGzjTRSDoT1YtTakWFE',
      }),
    key: z
      .string()
      .regex(/^k4\.public\.[\w-]+$/)
      .meta({
        description: 'The public key.',
        example: 'k4.public.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      }),
  }),
});
