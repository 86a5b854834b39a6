import { anEvent, aRevocation, givenAdmin, givenToken } from '@gatehouse/domain/testing';
import type { Token } from '@gatehouse/domain/tokens';
import { openSilenceableProxy } from '@gatehouse/test-database';
import { onTestFinished } from 'vitest';
import type { TrustProblem } from '../src/changes/change-feed-trust.ts';
import type { Database } from '../src/database/database.ts';
import { createPostgresRepositories } from '../src/repositories.ts';
import { openFeed } from './open-feed.ts';
import { aTestDatabase } from './open-test-store.ts';

/** Opens a feed that is closed with the test. */
export async function aFeed(options: Parameters<typeof openFeed>[0], problemOf?: TrustProblem) {
  const opened = await openFeed(options, problemOf);
  onTestFinished(() => opened.feed.close());
  return opened;
}

/** Opens a feed of a database of its own. */
export async function openDirectly() {
  const { url, database } = await aTestDatabase();
  return { opened: await aFeed({ listenUrl: url, database }), url, database };
}

/** The same through a proxy that can fall silent. */
export async function openBehindProxy(options: { readonly maxStalenessMs?: number } = {}) {
  const { url, database } = await aTestDatabase();
  const proxy = await openSilenceableProxy(url);
  onTestFinished(proxy.close);
  return { opened: await aFeed({ listenUrl: proxy.url, database, ...options }), proxy, database };
}

export async function givenTokens(database: Database, count: number): Promise<readonly Token[]> {
  const store = createPostgresRepositories(database);
  const user = await givenAdmin(store);
  const tokens: Token[] = [];
  while (tokens.length < count) tokens.push(await givenToken(store, user));
  return tokens;
}

export const revoke = (database: Database, { id }: Token) =>
  createPostgresRepositories(database).tokens.revoke(id, aRevocation(), anEvent());
