// A hand-written server for the same job: verify the JWT, read the token's row, read the organization's row. It uses
// our server's tables and tokens, and checks less: neither user, account nor key.
import { createPublicKey } from 'node:crypto';
import fastifyJwt from '@fastify/jwt';
import Fastify from 'fastify';
import pg from 'pg';
import { given, print } from './announce.ts';

interface Claims {
  readonly jti: string;
}

const pool = new pg.Pool({ connectionString: given('DATABASE_URL'), max: 10 });
const { rows: keys } = await pool.query<{ public_key: Buffer }>(
  "SELECT public_key FROM signing_keys WHERE format = 'jwt' AND state = 'active'",
);
const x = keys[0]?.public_key.toString('base64url') ?? '';
const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });

const app = Fastify();
await app.register(fastifyJwt, {
  secret: { public: publicKey.export({ format: 'pem', type: 'spki' }).toString() },
  verify: { algorithms: ['EdDSA'], allowedIss: 'gatehouse', allowedAud: 'gatehouse-api', cache: false },
});

const answer = {
  200: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      description: { type: ['string', 'null'] },
    },
  },
};

app.get<{ Params: { id: string } }>(
  '/api/v1/orgs/:id',
  {
    schema: { response: answer },
    onRequest: async (request, reply) => {
      try {
        await request.jwtVerify();
      } catch {
        return reply.code(401).send();
      }
    },
  },
  async (request, reply) => {
    const { rows: tokens } = await pool.query({
      name: 'token',
      text: 'SELECT account_id, scopes, expires_at, revoked_at FROM tokens WHERE id = $1',
      values: [(request.user as Claims).jti],
    });
    const [token] = tokens;
    if (!token || token.revoked_at || (token.expires_at && token.expires_at <= new Date())) {
      return reply.code(401).send();
    }
    if (!token.scopes.includes('*')) return reply.code(403).send();
    const { rows: organizations } = await pool.query({
      name: 'organization',
      text: 'SELECT id, name, description FROM organizations WHERE id = $1 AND account_id = $2',
      values: [request.params.id, token.account_id],
    });
    return organizations[0] ?? reply.code(404).send();
  },
);

print({ url: await app.listen({ port: 0, host: '127.0.0.1' }) });
