import { UnavailableFault } from '@gatehouse/domain';
import { createUsageInbox, subscriptionTo, type UsageFeed } from '@gatehouse/domain/tokens';
import { openListeningConnection } from '../changes/listening-connection.ts';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { type Pause, pause as pauseByTimer } from '../database/pause.ts';
import type { ConnectionString } from '../database/pool/connection-string.ts';
import { parseUsageNotification, USAGE_CHANNEL } from './usage-notification.ts';

interface UsageFeedOptions {
  /** The URL of a direct connection to the database of the pool, not through a connection pooler. */
  readonly listenUrl: ConnectionString;
  readonly database: Database;
  /**
   * The longest time that the connection may not answer, in milliseconds. After that, the connection counts as lost.
   */
  readonly answerWithinMs?: number;
  /** Called once for each call of `listen`, when a notification that cannot be parsed is skipped. */
  readonly onUnreadable?: () => void;
  /** Waits between two tests of the connection. */
  readonly pause?: Pause;
}

const HEARTBEAT_MS = 1000;

/**
 * Creates a feed of the notifications of usage recorders by LISTEN and NOTIFY, with a separate connection for each call
 * of `listen`.
 */
export function createPostgresUsageFeed(options: UsageFeedOptions): UsageFeed {
  const { listenUrl, database, answerWithinMs = 5000, onUnreadable, pause = pauseByTimer } = options;
  return {
    async listen() {
      const inbox = createUsageInbox();
      const over = new AbortController();
      let unreadable = false;

      function lose(reason: string): void {
        inbox.end(new UnavailableFault(reason));
        over.abort();
      }

      const connection = await openListeningConnection({
        url: listenUrl,
        database,
        channel: USAGE_CHANNEL,
        applicationName: 'gatehouse usage feed',
        answerWithinMs,
        giveUp: over.signal,
        onNotification(payload) {
          const counts = parseUsageNotification(payload);
          if (counts) return inbox.add(counts);
          if (!unreadable) onUnreadable?.();
          unreadable = true;
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

      async function keepChecking(): Promise<void> {
        while (!over.signal.aborted) {
          await pause(HEARTBEAT_MS, over.signal);
          if (!over.signal.aborted) await connection.heartbeat();
        }
      }

      try {
        await connection.heartbeat();
      } catch (error) {
        await close();
        fail(error);
      }
      void keepChecking().catch(async (error) => {
        lose(reasonOf(error));
        await close();
      });

      return subscriptionTo(inbox, close);
    },
  };
}

/** Throws an `UnavailableFault`, because after every error of a listening connection the connection counts as lost. */
function fail(error: unknown): never {
  throw new UnavailableFault(reasonOf(error));
}
