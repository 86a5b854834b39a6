import { UnavailableFault } from '@gatehouse/domain';
import { createUsageInbox, subscriptionTo, type UsageFeed } from '@gatehouse/domain/tokens';
import { openListeningConnection } from '../changes/listening-connection.ts';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { type Pause, pause as pauseByTimer } from '../database/pause.ts';
import type { ConnectionString } from '../database/pool/connection-string.ts';
import { parseUsageNotification, USAGE_CHANNEL } from './usage-notification.ts';

interface UsageFeedOptions {
  /** A direct connection to the pool's database, without a pooler. */
  readonly listenUrl: ConnectionString;
  readonly database: Database;
  /** The longest silence of the connection, in milliseconds. After that it counts as lost. */
  readonly answerWithinMs?: number;
  /** Called once for each `listen`, when the first notification that cannot be parsed is skipped. */
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

/** Every error of a listening connection means that it is lost. */
function fail(error: unknown): never {
  throw new UnavailableFault(reasonOf(error));
}
