import { aCredential, aService, aTokenId, DATABASE, unwrap } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { describe, expect, it } from 'vitest';
import { serveChanges, told } from '../testing/serve-changes.ts';
import { MAX_UNREAD } from './change-stream.ts';
import { MAX_KEPT } from './recent-changes.ts';

const changeOf = (id: TokenId = aTokenId()) => ({ kind: 'token', id }) as const;

/** Serves a feed that has heard of everything, and whose first `all` is older than what is told again. */
async function serveHeard(...limits: Parameters<typeof serveChanges>) {
  const served = serveChanges(...limits);
  served.feed.beat();
  await told();
  served.clock.advance(60_000);
  served.feed.beat();
  return served;
}

describe('A stream of changes', () => {
  it('begins with the nonce, the clock, and what is told again', async () => {
    const { open, service } = await serveHeard();
    const { events } = await open(service);
    expect(events).toEqual([
      {
        hello: {
          nonce: 'nonce-nonce-nonce',
          now: 60_000,
          replay_from: 50_000,
          max_staleness_ms: 1000,
          kinds: ['token', 'user', 'account', 'key', 'service'],
          database: DATABASE,
        },
      },
    ]);
  });

  it('tells changes as handles, those of one moment in one line, and proves after them', async () => {
    const { open, feed, clock, handles, service } = await serveHeard();
    const client = await open();
    const id = aTokenId();
    feed.tell(changeOf(id));
    feed.tell({ kind: 'user', id: 7 as UserId });
    feed.tell({ kind: 'organization', id: 1 as never });
    await told();
    clock.advance(250);
    feed.beat();
    const handleOf = await handles.of(service.name);
    expect(client.events.slice(1)).toEqual([
      { changed: [handleOf('token', id), handleOf('user', 7)] },
      { proof: { heard: 60_250, time: clock.now(), position: 2, database: DATABASE } },
    ]);
  });

  it('writes a change before the proof of a heartbeat that returned in the same moment', async () => {
    const { open, feed } = await serveHeard();
    const client = await open();
    feed.tell(changeOf());
    feed.beat();
    expect(client.events.slice(1).map((event) => Object.keys(event)[0])).toEqual(['changed', 'proof']);
  });

  it('gives two services different handles of a record', async () => {
    const { open, feed, replaceServices, service } = await serveHeard();
    const other = aService({ credentials: [aCredential()] });
    replaceServices([service, other]);
    const clients = [await open(), await open(other)];
    feed.tell(changeOf());
    await told();
    const [one, two] = clients.map(({ events }) => events.at(-1));
    expect(one).not.toEqual(two);
  });

  it('tells again what was heard in the last 10 seconds, and nothing older', async () => {
    const { open, feed, clock, handles, service } = await serveHeard();
    const [old, recent] = [aTokenId(), aTokenId()];
    feed.tell(changeOf(old));
    await told();
    clock.advance(5000);
    feed.tell(changeOf(recent));
    await told();
    clock.advance(5001);
    const handleOf = await handles.of(service.name);
    expect((await open()).events).toMatchObject([
      { hello: { now: 70_001, replay_from: 60_001 } },
      { changed: [handleOf('token', recent)] },
    ]);
  });

  it('does not claim to tell again what was heard before the server listened', async () => {
    const { open, feed, clock } = serveChanges();
    clock.advance(3000);
    feed.beat();
    expect((await open()).events).toMatchObject([{ hello: { replay_from: 0 } }, { changed: 'all' }]);
  });

  it('tells `all` after the feed was lost, and proves nothing until it has heard again', async () => {
    const { open, feed } = await serveHeard();
    const client = await open();
    feed.lose();
    await told();
    expect(client.events.slice(1)).toEqual([{ changed: 'all' }]);
    feed.beat();
    expect(client.events.slice(2)).toMatchObject([{ changed: 'all' }, { proof: {} }]);
  });

  it('tells `all` again to a client that comes after too many changes', async () => {
    const { open, feed } = await serveHeard();
    for (let count = 0; count < 2; count += 1) {
      for (let change = 0; change < MAX_KEPT * 0.6; change += 1) feed.tell(changeOf());
      await told();
    }
    expect((await open()).events.slice(1)).toEqual([{ changed: 'all' }]);
  });

  it('joins what a client leaves unread into `all`, and proves nothing before that is written', async () => {
    const { open, feed } = await serveHeard();
    const client = await open();
    client.unread = MAX_UNREAD + 1;
    feed.tell(changeOf());
    feed.beat();
    expect(client.events.slice(1)).toEqual([]);
    client.unread = 0;
    feed.beat();
    expect(client.events.slice(1)).toMatchObject([{ changed: 'all' }, { proof: { position: 2 } }]);
  });

  it('proves nothing while the feed is not fresh', async () => {
    const { open, feed, clock, listBy, service } = await serveHeard();
    const client = await open();
    const services = Promise.withResolvers<readonly (typeof service)[]>();
    listBy(() => services.promise);
    feed.beat();
    clock.advance(1001);
    services.resolve([service]);
    await services.promise;
    await told();
    expect(client.events.slice(1)).toEqual([]);
  });

  it('ends when the credential is revoked, and before the next proof', async () => {
    const { open, feed, clock, service, replaceServices } = await serveHeard();
    const client = await open();
    const credentials = service.credentials.map((each) => ({ ...each, revokedAt: clock.now() }));
    replaceServices([{ ...service, credentials }]);
    feed.beat();
    expect(client.hasEnded()).toBe(true);
    expect(client.events.slice(1)).toEqual([]);
  });

  it('ends after 10 seconds, when its client leaves, and when the server stops', async () => {
    const { open, timers, changes } = await serveHeard();
    const clients = [await open(), await open(), await open()];
    expect(timers.map(({ ms }) => ms)).toEqual([10_000, 10_000, 10_000]);
    timers[0]?.call();
    clients[1]?.leave();
    expect(clients.map(({ hasEnded }) => hasEnded())).toEqual([true, true, false]);
    expect(changes.streams()).toBe(1);
    changes.close();
    expect(clients.map(({ hasEnded }) => hasEnded())).toEqual([true, true, true]);
    expect([changes.streams(), timers.length]).toEqual([0, 0]);
  });
});

describe('Streams of changes', () => {
  it('are refused before the feed has heard, and while the server stops', async () => {
    const { changes, callerOf, service, feed } = serveChanges();
    const open = () => changes.open(callerOf(service), 'nonce-nonce-nonce');
    expect(await open()).toEqual({ ok: false, error: { code: 'changes_unknown' } });
    feed.beat();
    unwrap(await open());
    changes.close();
    expect(await open()).toEqual({ ok: false, error: { code: 'changes_unknown' } });
  });

  it('are limited for a service and for all of them, and a stream that ends makes room', async () => {
    const { open, changes, callerOf, service } = await serveHeard({ streams: 3, ofOneService: 2 });
    const other = aService({ credentials: [aCredential()] });
    const refusal = async (of = service) => (await changes.open(callerOf(of), 'nonce-nonce-nonce')).ok;
    const first = await open();
    await open();
    expect([await refusal(), await refusal(other)]).toEqual([false, true]);
    await open(other);
    expect(await refusal(other)).toBe(false);
    first.leave();
    expect(await refusal()).toBe(true);
  });

  it('that were allowed together do not exceed the limit', async () => {
    const { begin, read } = await serveHeard({ streams: 1, ofOneService: 1 });
    const [one, two] = [await begin(), await begin()];
    expect([read(one), read(two)].map(({ hasEnded }) => hasEnded())).toEqual([false, true]);
  });

  it('prove again after the services could not be read', async () => {
    const { open, feed, listBy, service } = await serveHeard();
    const client = await open();
    listBy(() => Promise.reject(new Error('the database is away')));
    feed.beat();
    await new Promise(setImmediate);
    expect(client.events.slice(1)).toEqual([]);
    listBy(() => [service]);
    feed.beat();
    expect(client.events.slice(1)).toMatchObject([{ proof: { position: 1 } }]);
  });
});
