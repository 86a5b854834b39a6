import type { KeyPair, TokenFormat } from '@gatehouse/domain/tokens';
import { expect } from 'vitest';
import { askMany } from './ask-many.ts';
import { activeKeyOf } from './forge.ts';
import { issue } from './issue.ts';
import { type ServedPostgres, servePostgres } from './serve-postgres.ts';

export interface ServedTokens extends ServedPostgres {
  /** Each is remembered by the server, with all that is behind it. */
  readonly tokens: Readonly<Record<TokenFormat, string>>;
  /** What the server signs with. */
  readonly keys: Readonly<Record<TokenFormat, KeyPair>>;
  /** Which statuses they are answered with, and how often each. */
  statusesOf(texts: Iterable<string>): Promise<readonly (readonly [status: number, count: number])[]>;
  expectAllRefused(texts: Iterable<string>): Promise<void>;
}

/** A server with a good token of each format, to send damaged and forged ones to. */
export async function serveTokens(): Promise<ServedTokens> {
  // What is remembered has not to be read again because this machine has much to do.
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
      // What was refused has not taken the place of what is good.
      expect(await statusesOf(Object.values(tokens))).toEqual([[200, 2]]);
    },
  };
}
