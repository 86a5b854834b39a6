import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId, UsageRecorder } from '@gatehouse/domain/tokens';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { type Pause, pause as pauseByTimer } from '../database/pause.ts';
import type { AddressRoom } from './pending-addresses.ts';
import { PendingUsage } from './pending-usage.ts';
import { createServiceUsage } from './service-usage.ts';
import { storeUsage } from './usage-records.ts';

interface UsageRecorderOptions {
  /**
   * Called with an event for the log: once when usage can no longer be stored, and once when it can be stored again.
   */
  readonly report: (event: UsageRecorderEvent) => void;
  /** Waits between two statements. */
  readonly pause?: Pause;
}

export type UsageRecorderEvent =
  | { readonly kind: 'usage_delayed'; readonly reason: string }
  /** Usage can be stored again. The usage of `dropped` tokens was lost, because too many tokens were waiting. */
  | { readonly kind: 'usage_stored'; readonly dropped: number };

/** Describes the usage that is recorded but not stored yet. `tokens` is the number of its tokens. */
export interface UsageBacklog {
  readonly tokens: number;
  /** The time of the earliest use or refusal that is not stored yet. */
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
/**
 * The maximum number of addresses of all waiting tokens, at 200 bytes each. When it is reached, no further addresses
 * are recorded until usage is stored.
 */
const MAX_WAITING_ADDRESSES = 100_000;
/**
 * The number of tokens whose first use is remembered. If a token is forgotten, its next use counts as a first use, and
 * is stored at once.
 */
const MAX_REMEMBERED_TOKENS = 100_000;

/**
 * Records when tokens were used and refused, in separate tables, and notifies usage feeds of the counts. Once a second,
 * one statement stores the usage of up to `BATCH_TOKENS` tokens; more tokens need more statements.
 */
export function createPostgresUsageRecorder(
  { queries }: Database,
  { report, pause = pauseByTimer }: UsageRecorderOptions,
): UsageRecorder & { backlog(): UsageBacklog } {
  const recorderId = randomUUID();
  const atServices = createServiceUsage(queries);
  let waiting = new Map<TokenId, PendingUsage>();
  let room: AddressRoom = { left: MAX_WAITING_ADDRESSES };
  const remembered = new Set<TokenId>();
  let storing: Promise<void> | undefined;
  let scheduled = false;
  let urgent = false;
  let hurriedForFirstUse = false;
  let failing = false;
  let dropped = 0;
  /**
   * Runs a function outside the context of any request, because storing usage is work for all requests, not for one
   * user.
   */
  const outside = AsyncLocalStorage.snapshot();

  /** Creates the entry of a token and returns it; undefined if too many tokens are waiting. */
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
   * Stores a first use at once, but only one in each interval. After a restart, every token has its first use again.
   * Without this limit, each turn of the event loop would store usage by its own statement, which costs a third of what
   * the requests cost.
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

  /** Stores usage at once, together with all usage that is recorded in this turn of the event loop. */
  function hurry(): void {
    // While the database is unavailable, usage is stored only at the next interval.
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
      if (waiting.size > 0 || atServices.isWaiting()) schedule();
    });
  }

  function store(): Promise<void> {
    storing ??= outside(storeWaiting).finally(() => {
      storing = undefined;
    });
    return storing;
  }

  async function flush(): Promise<void> {
    // The statement in progress may have begun before the last use was recorded, so usage is stored once more after it.
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
        throw delayed(error);
      }
    }
    const storedServices = await atServices.store().catch((error) => {
      throw delayed(error);
    });
    if (!failing || (taken.length === 0 && !storedServices)) return;
    report({ kind: 'usage_stored', dropped });
    failing = false;
    dropped = 0;
  }

  /** Reports that usage cannot be stored, and tries again at the next interval. Returns the error. */
  function delayed(error: unknown): unknown {
    if (!failing) report({ kind: 'usage_delayed', reason: reasonOf(error) });
    failing = true;
    schedule();
    return error;
  }

  return {
    used(id, at, from, service) {
      const usage = waiting.get(id) ?? begin(id, at);
      if (usage === undefined) return;
      if (usage.uses === 0 && !failing && isFirstUse(id)) hurryForFirstUse();
      usage.used(at, from, room);
      if (service !== undefined) atServices.used(id, at, service);
    },
    refused(id, at, reason, from) {
      const usage = waiting.get(id) ?? begin(id, at);
      usage?.refused(at, reason, from, room);
    },
    usedOutside(id, at, from) {
      const usage = waiting.get(id) ?? begin(id, at);
      usage?.usedOutside(at, from, room);
    },
    usedCredential(id, at) {
      if (atServices.usedCredential(id, at)) schedule();
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
