import type { Change, ChangeFeed } from '@gatehouse/domain/changes';
import type { Service, ServiceRepository } from '@gatehouse/domain/services';
import type { SigningKey } from '@gatehouse/domain/signing-keys';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { createCoalescedReads } from '@gatehouse/queues';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyActions, type Cached, playInterleaving, type Reads } from '../testing/interleaving.ts';
import { AMPLE } from '../testing/parts.ts';
import { createCachedOrganizations } from './cached-organizations.ts';
import { createCachedServices } from './cached-services.ts';
import { createCachedSigningKeys } from './cached-signing-keys.ts';
import { createCachedTokenRecords } from './cached-token-records.ts';
import { type ChangeLog, createChangeLog } from './change-log.ts';
import { createReadCaches } from './read-caches.ts';

const RUNS = sized({ short: 3000, full: 100_000 });
const TIMEOUT = 30_000 + RUNS * 10;

const property = (cached: Cached) =>
  fc.asyncProperty(anyActions, (actions) => playInterleaving(cached, actions));

const whole: Cached = (reads, ports) => {
  const caches = createReadCaches({ ...ports, limits: AMPLE });
  return {
    ...caches.cachedTokenRecords(reads),
    findForUser: caches.cachedOrganizations(reads).findForUser,
    list: caches.cachedSigningKeys(sharingLists(reads)).list,
    listServices: caches.cachedServices(servicesOf(reads)).list,
  };
};

/** As the repository of PostgreSQL shares them. */
function sharingLists(reads: Reads): Reads {
  const lists = createCoalescedReads<'all', readonly SigningKey[]>();
  return { ...reads, list: () => lists('all', reads.list) };
}

/** The repository of services, which shares its reads like that of keys. */
function servicesOf({ listServices }: Reads): Pick<ServiceRepository, 'list'> {
  const lists = createCoalescedReads<'all', readonly Service[]>();
  return { list: () => lists('all', async () => listServices()) };
}

/** The same caches, put together with one part broken. */
const composed =
  (part: {
    readonly feed?: (feed: ChangeFeed) => ChangeFeed;
    readonly changes?: (feed: ChangeFeed) => ChangeLog;
    readonly isFresh?: () => boolean;
  }): Cached =>
  (reads, { feed, isFresh }) => {
    const options = {
      feed: part.feed?.(feed) ?? feed,
      changes: part.changes?.(feed) ?? createChangeLog(feed),
      isFresh: part.isFresh ?? isFresh,
    };
    return {
      ...createCachedTokenRecords(reads, { ...options, limit: AMPLE.tokens }),
      findForUser: createCachedOrganizations(reads, { ...options, ...AMPLE }).findForUser,
      list: createCachedSigningKeys(sharingLists(reads), options).list,
      listServices: createCachedServices(servicesOf(reads), options).list,
    };
  };

/** Sees only the changes that the filter takes. */
const hardOfHearing =
  (hears: (change: Change) => boolean) =>
  (feed: ChangeFeed): ChangeFeed => ({
    ...feed,
    subscribe: (listener) =>
      feed.subscribe((change) => {
        if (hears(change)) listener(change);
      }),
  });

const joinsAlways: Cached = (reads, ports) => {
  const inner = whole(reads, ports);
  return { ...inner, findRecord: sharing(inner.findRecord) };
};

const remembersAbsence: Cached = (reads, ports) => {
  const inner = whole(reads, ports);
  const absent = new Set<unknown>();
  return {
    ...inner,
    async findRecord(id) {
      if (absent.has(id)) return undefined;
      const record = await inner.findRecord(id);
      if (!record) absent.add(id);
      return record;
    },
  };
};

const alwaysJoinsAbsence: Cached = (reads, ports) =>
  // A read shared inside the caches, whose absence is shared as well.
  whole({ ...reads, findRecord: sharing(reads.findRecord) }, ports);

function sharing(findRecord: Reads['findRecord']): Reads['findRecord'] {
  const underWay = new Map<unknown, ReturnType<Reads['findRecord']>>();
  return (id) => {
    const shared = underWay.get(id) ?? Promise.resolve(findRecord(id)).finally(() => underWay.delete(id));
    underWay.set(id, shared);
    return shared;
  };
}

const sharesAnyListUnderWay: Cached = (reads, ports) => {
  let underWay: ReturnType<Reads['list']> | undefined;
  const list = () => {
    underWay ??= reads.list().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const caches = createReadCaches({ ...ports, limits: AMPLE });
  return { ...whole(reads, ports), list: caches.cachedSigningKeys({ ...reads, list }).list };
};

const keepsKeysThatChangedMeanwhile: Cached = (reads, ports) => {
  let held: readonly SigningKey[] | undefined;
  ports.feed.subscribe(({ kind }) => {
    if (kind === 'key' || kind === 'everything') held = undefined;
  });
  const list = async () => {
    if (held && ports.isFresh()) return held;
    held = await reads.list();
    return held;
  };
  return { ...whole(reads, ports), list };
};

/** As if the account were checked later. */
const remembersAnyones: Cached = (reads, ports) => {
  const inner = whole(reads, ports);
  const known = new Map<unknown, Awaited<ReturnType<Reads['findForUser']>>>();
  return {
    ...inner,
    async findForUser(id, reader) {
      const found = await inner.findForUser(id, reader);
      if (found) known.set(id, found);
      return found ?? known.get(id);
    },
  };
};

describe('in whatever order reads, changes and losses come', () => {
  test(
    `nothing older than allowed is cached or answered (${RUNS} interleavings)`,
    async () => {
      await fc.assert(property(whole), { numRuns: RUNS });
      recordFigures('R5', [
        { name: 'forced interleavings', measured: `${RUNS}` },
        { name: 'of them with outdated answers', measured: '0', bar: '0', holds: true },
      ]);
    },
    TIMEOUT,
  );

  test.each<[string, Cached]>([
    [
      'ignores changes during the read',
      composed({ changes: () => ({ watch: () => ({ sawAnyOf: () => false, end() {} }) }) }),
    ],
    [
      'checks only changes of the token during the read',
      composed({
        changes(feed) {
          const log = createChangeLog(feed);
          return {
            watch() {
              const watch = log.watch();
              return { sawAnyOf: (changes) => watch.sawAnyOf(changes.slice(0, 1)), end: () => watch.end() };
            },
          };
        },
      }),
    ],
    [
      'continues the read when everything changed',
      composed({
        changes: (feed) => createChangeLog(hardOfHearing((change) => change.kind !== 'everything')(feed)),
      }),
    ],
    [
      'keeps its entries when everything changed',
      composed({ feed: hardOfHearing((change) => change.kind !== 'everything') }),
    ],
    [
      'keeps the tokens of a changed user',
      composed({ feed: hardOfHearing((change) => change.kind !== 'user') }),
    ],
    ['uses its entries although the feed is not fresh', composed({ isFresh: () => true })],
    ['joins any read', joinsAlways],
    ['joins any read for a missing token', alwaysJoinsAbsence],
    ['remembers absence', remembersAbsence],
    ['keeps changed keys', composed({ feed: hardOfHearing((change) => change.kind !== 'key') })],
    ['keeps changed services', composed({ feed: hardOfHearing((change) => change.kind !== 'service') })],
    ['joins any active read of the keys', sharesAnyListUnderWay],
    ['caches keys that changed during the read', keepsKeysThatChangedMeanwhile],
    ['caches an organization for all accounts', remembersAnyones],
  ])(
    'a cache that %s is caught',
    async (_, broken) => {
      const { errorInstance } = await fc.check(property(broken), { numRuns: 20_000, endOnFailure: true });
      // Detected by a wrong answer, not by a fault.
      expect(String(errorInstance)).toMatch(/older|outdated|absent|another account/);
    },
    120_000,
  );
});
