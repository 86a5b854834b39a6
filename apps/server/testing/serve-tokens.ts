import type { KeyPair, TokenFormat } from '@gatehouse/domain/tokens';
import { expect } from 'vitest';
import { askMany } from './ask-many.ts';
import { activeKeyOf } from './forge.ts';
import { issue } from './issue.ts';
import { type ServedPostgres, servePostgres } from './serve-postgres.ts';

export interface ServedTokens extends ServedPostgres {
  /** Accepted tokens, which the server has cached with their records. */
  readonly tokens: Readonly<Record<TokenFormat, string>>;
  /** The server's active keys. */
  readonly keys: Readonly<Record<TokenFormat, KeyPair>>;
  /** Sends a request with each text as the token, and counts the statuses. */
  statusesOf(texts: Iterable<string>): Promise<readonly (readonly [status: number, count: number])[]>;
  expectAllRefused(texts: Iterable<string>): Promise<void>;
}

/** Starts a server with an accepted token of each format, for damaged and forged ones. */
export async function serveTokens(): Promise<ServedTokens> {
  // Cached data must not expire because this machine is busy.
  const server = await servePostgres({ MAX_STALENESS_MS: '60000' });
  const [paseto, jwt] = [await issue(server), await issue(server, { format: 'jwt' })];
  const tokens = { paseto: paseto.secret, jwt: jwt.secret };
  const keys = { paseto: await activeKeyOf(server, 'paseto'), jwt: await activeKeyOf(server, 'jwt') };
  const statusesOf = async (texts: Iterable<string>) => [
    ...(await askMany(server.url, '/api/v1/me.json', texts)),
  ];
  expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
  return {
    ...server,
    tokens,
    keys,
    statusesOf,
    async expectAllRefused(texts) {
      const all = [...texts];
      expect(all.length).toBeGreaterThan(0);
      expect(await statusesOf(all)).toEqual([[401, all.length]]);
      // Refused tokens have not displaced the accepted ones.
      expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
    },
  };
}
