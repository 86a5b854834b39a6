import { randomUUID } from 'node:crypto';
import { UnavailableFault } from '@gatehouse/domain';
import { createUsageInbox, subscriptionTo, type UsageFeed } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { trustProblem } from '../changes/change-feed-trust.ts';
import { nonceNotification } from '../changes/change-notification.ts';
import { openListeningConnection } from '../changes/listening-connection.ts';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { type Pause, pause as pauseByTimer } from '../database/pause.ts';
import { parseUsageNotification, USAGE_CHANNEL } from './usage-notification.ts';

export interface UsageFeedOptions {
  /** Of the same database as the pool, and without a pooler in between. */
  readonly listenUrl: string;
  readonly database: Database;
  /** After so long without an answer the connection is lost, in milliseconds. */
  readonly answerWithinMs?: number;
  /** Called once for each `listen`, when the first notification is passed over because it cannot be read. */
  readonly onUnreadable?: () => void;
  /** Between two questions whether the connection still hears. */
  readonly pause?: Pause;
}

const HEARTBEAT_MS = 1000;

/** What usage recorders tell, by LISTEN and NOTIFY, on a connection of its own for each who listens. */
export function createPostgresUsageFeed(options: UsageFeedOptions): UsageFeed {
  const { listenUrl, database, answerWithinMs = 5000, onUnreadable, pause = pauseByTimer } = options;
  return {
    async listen() {
      const inbox = createUsageInbox();
      const over = new AbortController();
      const nonce = randomUUID();
      let nonceHeard = false;
      let unreadable = false;

      function lose(reason: string): void {
        inbox.end(new UnavailableFault(reason));
        over.abort();
      }

      const connection = await openListeningConnection({
        url: listenUrl,
        channel: USAGE_CHANNEL,
        applicationName: 'gatehouse usage feed',
        answerWithinMs,
        giveUp: over.signal,
        onNotification(payload) {
          const told = parseUsageNotification(payload);
          if (told === undefined) {
            if (!unreadable) onUnreadable?.();
            unreadable = true;
          } else if ('counts' in told) inbox.add(told.counts);
          else if (told.nonce === nonce) nonceHeard = true;
        },
        onLost: lose,
      }).catch(fail);

      let closing: Promise<void> | undefined;
      function close(): Promise<void> {
        over.abort();
        inbox.end();
        closing ??= connection.close();
        return closing;
      }

      /** Throws unless all was heard that was sent until now. */
      async function check(): Promise<void> {
        const pulse = await connection.heartbeat().catch(fail);
        const problem = trustProblem({ ...pulse, announcedPid: connection.announcedPid, nonceHeard });
        if (problem !== undefined) throw new UnavailableFault(problem);
      }

      async function keepChecking(): Promise<void> {
        while (!over.signal.aborted) {
          await pause(HEARTBEAT_MS, over.signal);
          if (!over.signal.aborted) await check();
        }
      }

      try {
        await sql`select pg_notify(${USAGE_CHANNEL}, ${nonceNotification(nonce)})`.execute(database.queries);
        await check();
      } catch (error) {
        await close();
        throw error;
      }
      void keepChecking().catch(async (error) => {
        lose(reasonOf(error));
        await close();
      });

      return subscriptionTo(inbox, close);
    },
  };
}

/** Whatever a listening connection throws says that it is lost. */
function fail(error: unknown): never {
  throw new UnavailableFault(reasonOf(error));
}
