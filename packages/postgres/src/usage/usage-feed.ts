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

interface UsageFeedOptions {
  /** A direct connection to the pool's database, without a pooler. */
  readonly listenUrl: string;
  readonly database: Database;
  /** How long the connection may stay silent before it is lost, in milliseconds. */
  readonly answerWithinMs?: number;
  /** Called once for each `listen`, when the first unparsable notification is skipped. */
  readonly onUnreadable?: () => void;
  /** Waits between two tests of the connection. */
  readonly pause?: Pause;
}

const HEARTBEAT_MS = 1000;

/**
 * Creates a feed of the usage recorders' notifications by LISTEN and NOTIFY, with a separate connection for each
 * listener.
 */
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

      /** Throws unless everything sent so far was received. */
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

/** Every error of a listening connection means that it is lost. */
function fail(error: unknown): never {
  throw new UnavailableFault(reasonOf(error));
}
