// Better Auth with its API keys and organizations, on the same PostgreSQL, without anything that the benchmark does
// not need: no rate limits, no telemetry, no log.
import { createServer } from 'node:http';
import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { organization } from 'better-auth/plugins';
import pg from 'pg';
import { announce, given } from './announce.ts';

const options = {
  baseURL: 'http://127.0.0.1',
  secret: 'for-measuring-only-0123456789abcdef',
  database: new pg.Pool({ connectionString: given('DATABASE_URL'), max: 10 }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }), organization()],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();

const auth = betterAuth(options);
const { user } = await auth.api.signUpEmail({
  body: { email: 'ada@acme.example', name: 'Ada', password: 'correct horse battery staple' },
});
const { key } = await auth.api.createApiKey({ body: { userId: user.id, name: 'bench' } });
const { id } = await auth.api.createOrganization({
  body: { userId: user.id, name: 'Press shop', slug: 'press-shop' },
});

announce(createServer(toNodeHandler(auth)), {
  request: {
    path: `/api/auth/organization/get-full-organization?organizationId=${id}`,
    headers: { 'x-api-key': key },
  },
});
