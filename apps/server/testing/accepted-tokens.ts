import { expect } from 'vitest';
import { askMany } from './ask-many.ts';
import { activeKeyOf } from './forge.ts';
import { issue } from './issue.ts';
import type { DemoServer } from './postgres-server.ts';
import { startTestServer } from './start-test-server.ts';

export type ServedTokens = Awaited<ReturnType<typeof serveTokens>>;

/** Starts a server with an accepted token of each format, for damaged and forged ones. */
export const serveTokens = () =>
  startTestServer({
    database: 'postgres',
    // Cached data must not expire because this machine is busy.
    settings: { MAX_STALENESS_MS: '60000' },
    given: acceptedTokens,
  });

async function acceptedTokens(server: DemoServer) {
  const [paseto, jwt] = [await issue(server), await issue(server, { format: 'jwt' })];
  const tokens = { paseto: paseto.secret, jwt: jwt.secret };
  const keys = { paseto: await activeKeyOf(server, 'paseto'), jwt: await activeKeyOf(server, 'jwt') };
  const statusesOf = async (texts: Iterable<string>) => [
    ...(await askMany(server.url, '/api/v1/me.json', texts)),
  ];
  expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
  return {
    /** Accepted tokens, which the server has cached with their records. */
    tokens,
    /** The server's active keys. */
    keys,
    /** Sends a request with each text as the token, and counts the statuses. */
    statusesOf,
    async expectAllRefused(texts: Iterable<string>) {
      const all = [...texts];
      expect(all.length).toBeGreaterThan(0);
      expect(await statusesOf(all)).toEqual([[401, all.length]]);
      // Refused tokens have not displaced the accepted ones.
      expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
    },
  };
}
