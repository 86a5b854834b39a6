import { z } from 'zod';

/** The public keys of JWTs (RFC 7517 section 5, RFC 8037 section 2). */
export const jwksAnswer = z.strictObject({
  keys: z.array(
    z.strictObject({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
    }),
  ),
});

export type JwksAnswer = z.infer<typeof jwksAnswer>;

/** The public keys of PASETO tokens, as PASERK writes them. */
export const paserkAnswer = z.strictObject({
  keys: z.array(
    z.strictObject({
      kid: z.string().regex(/^k4\.pid\.[\w-]+$/),
      key: z.string().regex(/^k4\.public\.[\w-]+$/),
    }),
  ),
});

export type PaserkAnswer = z.infer<typeof paserkAnswer>;
