import type { Token } from '@gatehouse/domain/tokens';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBeliever } from '../../testing/believer.ts';
import { aFeed, givenTokens, openBehindProxy, openDirectly, revoke } from '../../testing/feeds.ts';
import { openInjectingProxy } from '../../testing/injecting-proxy.ts';
import type { TestFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { terminateListeners } from '../../testing/terminate.ts';
import { type TrustProblem, trustProblem } from './change-feed-trust.ts';

const reasonOf = ({ feed }: TestFeed) => {
  const state = feed.state();
  return state.trusted ? undefined : state.reason;
};

/** Whether the feed becomes trusted within some attempts. */
async function isEverTrusted(opened: TestFeed, attempts = 4): Promise<boolean> {
  for (let i = 0; i < attempts; i += 1) {
    if (opened.feed.state().trusted) return true;
    await opened.next();
  }
  return opened.feed.state().trusted;
}

describe('a feed on a connection', () => {
  test('that falls silent is lost when an answer is overdue, and recovers', async () => {
    const { opened, proxy, database } = await openBehindProxy({ maxStalenessMs: 200 });
    const [token] = await givenTokens(database, 1);
    await opened.hear();
    const believer = createBeliever(opened);
    believer.believe((token as Token).id);
    proxy.silence(true);
    await revoke(database, token as Token);
    believer.isRevoked((token as Token).id);
    const retrying = opened.next();
    await opened.lost();
    expect(reasonOf(opened)).toBe('the listening connection does not answer');
    await retrying;
    proxy.silence(false);
    await opened.hear();
    expect(opened.feed.state()).toEqual({ trusted: true });
    expect(believer.mistakes()).toEqual([]);
    const kinds = opened.events.map(({ kind }) => kind);
    expect(kinds).toEqual(['trusted', 'untrusted', 'trusted']);
  });

  test('that is refused reports it once, and retries with growing pauses', async () => {
    const { database } = await aTestDatabase();
    const opened = await aFeed({ listenUrl: 'postgres://ada:hunter2@127.0.0.1:1/gatehouse', database });
    const pauses = [await opened.begun()];
    while (pauses.length < 8) pauses.push(await opened.next());
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1000, 1000, 1000]);
    expect(opened.events).toEqual([
      { kind: 'untrusted', reason: expect.stringMatching(/cannot be opened: .*ECONNREFUSED/) },
    ]);
    expect(JSON.stringify([opened.events, opened.feed.state()])).not.toContain('hunter2');
  });

  test('that is refused retries at different times on different servers', async () => {
    const { database } = await aTestDatabase();
    const listenUrl = 'postgres://ada:hunter2@127.0.0.1:1/gatehouse';
    const opened = await aFeed({ listenUrl, database, random: () => 0.5 });
    expect([await opened.begun(), await opened.next()]).toEqual([37.5, 75]);
  });

  test('that was lost reconnects at once', async () => {
    const { opened, database } = await openDirectly();
    await opened.hear();
    expect(await opened.begun()).toBe(250);
    await terminateListeners(database);
    await opened.lost();
    expect(await opened.begun()).toBe(50);
    expect(reasonOf(opened)).toMatch(/was lost: terminating connection due to administrator command/);
    await opened.hear();
  });

  test('that was lost leaves true what was heard, and tells `everything` before it hears more', async () => {
    const { opened, database } = await openDirectly();
    await opened.hear();
    opened.told.length = 0;
    const heard = opened.feed.heardUpTo();
    await terminateListeners(database);
    await opened.lost();
    expect(opened.feed.heardUpTo()).toEqual(heard);
    expect(opened.told).toEqual([]);
    await opened.hear();
    expect(opened.told).toEqual([{ kind: 'everything' }]);
  });

  test('whose end arrives together with an answer is lost, too', async () => {
    const { url, database } = await aTestDatabase();
    const proxy = await openInjectingProxy(url);
    const opened = await aFeed({ listenUrl: proxy.url, database });
    await opened.hear();
    proxy.endWithAnswers();
    expect(await opened.next()).toBe(50);
    expect(opened.feed.state().trusted).toBe(false);
    expect(reasonOf(opened)).toBe('the listening connection was lost: the end');
  });

  test('to a database that refuses connections is lost, and recovers when it accepts them again', async () => {
    const { opened, url } = await openDirectly();
    await opened.hear();
    const name = new URL(url).pathname.slice(1);
    const elsewhere = new URL(url);
    elsewhere.pathname = 'postgres';
    const admin = new pg.Client({ connectionString: elsewhere.href });
    await admin.connect();
    onTestFinished(() => admin.end());
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      name,
    ]);
    expect(await isEverTrusted(opened)).toBe(false);
    expect(reasonOf(opened)).toContain('not currently accepting connections');
    await admin.query(`alter database ${name} allow_connections true`);
    await opened.hear();
    expect(opened.feed.state()).toEqual({ trusted: true });
  });

  test('to another database than the pool’s is not trusted', async () => {
    const [{ database }, { url }] = [await aTestDatabase(), await aTestDatabase()];
    const opened = await aFeed({ listenUrl: url, database });
    expect(await isEverTrusted(opened)).toBe(false);
    expect(opened.events).toEqual([
      { kind: 'untrusted', reason: expect.stringContaining('the same database') },
    ]);
  });

  test('to another database would be trusted without the nonce', async () => {
    const [{ database }, { url }] = [await aTestDatabase(), await aTestDatabase()];
    const careless: TrustProblem = (evidence) => trustProblem({ ...evidence, nonceHeard: true });
    expect(await isEverTrusted(await aFeed({ listenUrl: url, database }, careless))).toBe(true);
  });

  /** Whether a revocation is missed although the feed claims to have heard everything up to it. */
  async function missesOnceItDoesNotListen(problemOf?: TrustProblem) {
    const { url, database } = await aTestDatabase();
    const proxy = await openInjectingProxy(url);
    const opened = await aFeed({ listenUrl: proxy.url, database }, problemOf);
    const [token] = (await givenTokens(database, 1)) as [Token];
    await opened.hear();
    const believer = createBeliever(opened);
    believer.believe(token.id);
    await proxy.inject('unlisten *');
    await revoke(database, token);
    believer.isRevoked(token.id);
    await opened.next();
    const missed = believer.mistakes().length > 0;
    return {
      missed,
      reasons: opened.events.flatMap((event) => (event.kind === 'untrusted' ? event.reason : [])),
    };
  }

  test('that no longer listens is not trusted', async () => {
    expect(await missesOnceItDoesNotListen()).toEqual({
      missed: false,
      reasons: ['the listening connection does not listen any more'],
    });
  });

  test('that no longer listens would be trusted without the question in the heartbeat', async () => {
    const careless: TrustProblem = (evidence) => trustProblem({ ...evidence, listening: true });
    expect(await missesOnceItDoesNotListen(careless)).toEqual({ missed: true, reasons: [] });
  });
});
