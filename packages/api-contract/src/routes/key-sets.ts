import { defineRoute, named } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** Keys can be activated and retired at any time, so a cached response must be revalidated. */
const keySet = <Body extends z.ZodType>(description: string, body: Body) =>
  ({ status: 200, description, body, cacheControl: 'no-cache' }) as const;

/** The public keys of JWTs (RFC 7517 section 5, RFC 8037 section 2). */
const jwks = named(
  'JsonWebKeySet',
  z.strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        // The key and its thumbprint of RFC 8037 appendix A.
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
    ),
  }),
);

export const getJwks = defineRoute({
  operationId: 'getJwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Keys',
  summary: 'Get the public keys of JWTs',
  description:
    'For programs that verify JWTs themselves. A signature does not tell whether its token was revoked.',
  public: true,
  success: keySet('The keys under which JWTs are accepted now.', jwks),
});

/** The public keys of PASETO tokens, as PASERK. */
const paserk = named(
  'PaserkKeySet',
  z.strictObject({
    keys: z.array(
      z.strictObject({
        // The test vectors of PASERK, of the key that is all zeros.
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
    ),
  }),
);

export const getPaserkKeys = defineRoute({
  operationId: 'getPaserkKeys',
  method: 'GET',
  path: '/.well-known/paserk.json',
  tag: 'Keys',
  summary: 'Get the public keys of PASETO tokens',
  description:
    'For programs that verify PASETO tokens themselves. A signature does not tell whether its token was revoked.',
  public: true,
  success: keySet('The keys under which PASETO tokens are accepted now.', paserk),
});
