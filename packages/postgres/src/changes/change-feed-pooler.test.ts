import { anEvent, aRevocation, givenAdmin, givenToken } from '@gatehouse/domain/testing';
import type { Token } from '@gatehouse/domain/tokens';
import { recordSkip } from '@gatehouse/fault-figures';
import { hasPgBouncer } from '@gatehouse/test-database';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBeliever } from '../../testing/believer.ts';
import { openFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { openPooledDatabase } from '../../testing/pooled-database.ts';
import { type TrustProblem, trustProblem } from './change-feed-trust.ts';

const present = hasPgBouncer();

// This tests how a real pooler behaves; no substitute would do.
if (!present) recordSkip('R3', 'pgbouncer is not installed (apt-get install pgbouncer)');

describe.skipIf(!present)('a feed behind PgBouncer in transaction mode', () => {
  /** The pool leads through the pooler, as DATABASE_URL would; the feed uses the address that is given. */
  async function open(feedGoes: 'through' | 'directly', problemOf?: TrustProblem) {
    const direct = await aTestDatabase();
    const { pooler, database } = await openPooledDatabase(direct.url);
    const listenUrl = feedGoes === 'through' ? pooler.url : direct.url;
    const opened = await openFeed({ listenUrl, database }, problemOf);
    onTestFinished(() => opened.feed.close());
    const { store } = direct;
    const user = await givenAdmin(store);
    return {
      ...opened,
      givenToken: () => givenToken(store, user),
      revoke: ({ id }: Token) => store.tokens.revoke(id, aRevocation(), anEvent()),
    };
  }

  test('is never trusted, and says why', async () => {
    const { feed, next, events } = await open('through');
    for (let i = 0; i < 20; i += 1) {
      expect(feed.heardUpTo()).toBeUndefined();
      await next();
    }
    expect(events).toEqual([{ kind: 'untrusted', reason: expect.stringContaining('DATABASE_LISTEN_URL') }]);
  });

  test('is detected by the nonce alone as well', async () => {
    const { feed, next, events } = await open('through', (evidence) =>
      trustProblem({ ...evidence, announcedPid: evidence.pid, listening: true }),
    );
    for (let i = 0; i < 20; i += 1) {
      expect(feed.heardUpTo()).toBeUndefined();
      await next();
    }
    expect(events).toEqual([{ kind: 'untrusted', reason: expect.stringContaining('does not arrive') }]);
  });

  test('would miss revocations if only heartbeats counted', async () => {
    const { feed, next, givenToken, revoke } = await open('through', () => undefined);
    expect(feed.heardUpTo()).toBeDefined();
    const believer = createBeliever({ feed });
    for (let i = 0; i < 20; i += 1) {
      const token = await givenToken();
      believer.believe(token.id);
      await revoke(token);
      believer.isRevoked(token.id);
      await next();
    }
    expect(believer.mistakes().length).toBeGreaterThan(0);
  });

  test('works over a direct connection instead', async () => {
    const { feed, hear, givenToken, told, revoke, events } = await open('directly');
    const token = await givenToken();
    await hear();
    told.length = 0;
    await revoke(token);
    await hear();
    expect(told).toEqual([{ kind: 'token', id: token.id }]);
    expect(feed.state()).toEqual({ trusted: true });
    expect(events).toEqual([{ kind: 'trusted' }]);
  });
});
