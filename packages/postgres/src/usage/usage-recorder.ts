import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId, UsageRecorder } from '@gatehouse/domain/tokens';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { type Pause, pause as pauseByTimer } from '../database/pause.ts';
import type { AddressRoom } from './pending-addresses.ts';
import { PendingUsage } from './pending-usage.ts';
import { storeUsage } from './usage-records.ts';

interface UsageRecorderOptions {
  /** Called for the log: once when storing begins to fail, and once when it works again. */
  readonly report: (event: UsageRecorderEvent) => void;
  /** Waits between two statements. */
  readonly pause?: Pause;
}

export type UsageRecorderEvent =
  | { readonly kind: 'usage_delayed'; readonly reason: string }
  /** Storing works again after a delay; the usage of `dropped` tokens was lost because the buffer was full. */
  | { readonly kind: 'usage_stored'; readonly dropped: number };

/** The usage that is recorded but not stored yet. */
export interface UsageBacklog {
  readonly tokens: number;
  /** The earliest time that is not stored yet. */
  readonly oldest: Instant | undefined;
}

const INTERVAL_MS = 1000;
/** The number of waiting tokens at which usage is stored early. */
const EARLY_STORE_TOKENS = 5_000;
/**
 * The number of tokens that one statement stores. The statement takes 2 to 2.5 times as long if all tokens have new
 * addresses, because triggers copy new addresses for the search.
 */
const BATCH_TOKENS = 1_000;
/** The maximum number of tokens that wait while the database is unavailable, a few hundred bytes each. */
const MAX_WAITING_TOKENS = 100_000;
/** The maximum number of addresses of all waiting tokens, at 200 bytes each. Beyond it, tokens get no further addresses. */
const MAX_WAITING_ADDRESSES = 100_000;
/**
 * The number of tokens whose first use is remembered. The next use of a forgotten token counts as its first, and is stored
 * at once.
 */
const MAX_REMEMBERED_TOKENS = 100_000;

/**
 * Records when tokens were used and refused, in tables of their own, and notifies usage feeds of the counts. It stores by
 * one statement a second for all tokens together.
 */
export function createPostgresUsageRecorder(
  { queries }: Database,
  { report, pause = pauseByTimer }: UsageRecorderOptions,
): UsageRecorder & { backlog(): UsageBacklog } {
  const recorderId = randomUUID();
  let waiting = new Map<TokenId, PendingUsage>();
  let room: AddressRoom = { left: MAX_WAITING_ADDRESSES };
  const remembered = new Set<TokenId>();
  let storing: Promise<void> | undefined;
  let scheduled = false;
  let urgent = false;
  let hurriedForFirstUse = false;
  let failing = false;
  let dropped = 0;
  /** Runs a function outside of any request's context: a statement that stores is for all requests, not for one user. */
  const outside = AsyncLocalStorage.snapshot();

  /** Returns the entry for a token, unless the buffer is full. */
  function begin(id: TokenId, at: Instant): PendingUsage | undefined {
    if (waiting.size >= MAX_WAITING_TOKENS) {
      dropped += 1;
      return undefined;
    }
    const usage = new PendingUsage(at);
    waiting.set(id, usage);
    if (waiting.size === EARLY_STORE_TOKENS) hurry();
    schedule();
    return usage;
  }

  /**
   * Stores a first use at once, but only one in an interval. After a restart the first use of every token is new. Without
   * this limit, each turn of the event loop would store by its own statement, which costs a third of what its requests cost.
   */
  function hurryForFirstUse(): void {
    if (hurriedForFirstUse) return;
    hurriedForFirstUse = true;
    hurry();
  }

  function isFirstUse(id: TokenId): boolean {
    if (remembered.has(id)) return false;
    if (remembered.size >= MAX_REMEMBERED_TOKENS) remembered.delete(remembered.values().next().value ?? id);
    remembered.add(id);
    return true;
  }

  /** Stores at once, but together with everything else recorded in this turn of the event loop. */
  function hurry(): void {
    // While the database is unavailable, attempts wait for the interval.
    if (urgent || failing) return;
    urgent = true;
    setImmediate(async () => {
      await storing?.catch(() => undefined);
      urgent = false;
      if (!failing) await store().catch(() => undefined);
    });
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    pause(INTERVAL_MS).then(async () => {
      hurriedForFirstUse = false;
      await flush().catch(() => undefined);
      scheduled = false;
      if (waiting.size > 0) schedule();
    });
  }

  function store(): Promise<void> {
    storing ??= outside(storeWaiting).finally(() => {
      storing = undefined;
    });
    return storing;
  }

  async function flush(): Promise<void> {
    // The statement in progress may have begun before the last use was recorded.
    await storing?.catch(() => undefined);
    await store();
  }

  async function storeWaiting(): Promise<void> {
    const taken = [...waiting];
    waiting = new Map();
    room = { left: MAX_WAITING_ADDRESSES };
    for (let from = 0; from < taken.length; from += BATCH_TOKENS) {
      try {
        await storeUsage(queries, recorderId, taken.slice(from, from + BATCH_TOKENS));
      } catch (error) {
        for (const [id, usage] of taken.slice(from)) {
          const since = waiting.get(id) ?? new PendingUsage(usage.since);
          since.addEarlier(usage, room);
          waiting.set(id, since);
        }
        if (!failing) report({ kind: 'usage_delayed', reason: reasonOf(error) });
        failing = true;
        schedule();
        throw error;
      }
    }
    if (!failing || taken.length === 0) return;
    report({ kind: 'usage_stored', dropped });
    failing = false;
    dropped = 0;
  }

  return {
    used(id, at, from) {
      const usage = waiting.get(id) ?? begin(id, at);
      if (usage === undefined) return;
      if (usage.uses === 0 && !failing && isFirstUse(id)) hurryForFirstUse();
      usage.used(at, from, room);
    },
    refused(id, at, reason, from) {
      const usage = waiting.get(id) ?? begin(id, at);
      usage?.refused(at, reason, from, room);
    },
    backlog() {
      let oldest: Instant | undefined;
      for (const { since } of waiting.values()) {
        if (oldest === undefined || since < oldest) oldest = since;
      }
      return { tokens: waiting.size, oldest };
    },
    flush,
  };
}
