import type { ChangeFeedEvent } from '@gatehouse/domain/changes';
import type { GuardedAction } from '@gatehouse/domain/guards';
import type { UsageRecorderEvent } from '@gatehouse/postgres';
import type { Log } from './line-kind.ts';

/**
 * Logs whether the change feed reports every change of the database. While it may miss changes, it is not trusted, and
 * every request reads the database instead of the caches.
 */
export function createFeedLog(log: Log): (event: ChangeFeedEvent) => void {
  let wasLost = false;
  return (event) => {
    switch (event.kind) {
      case 'trusted':
        // The first line that the feed is trusted has the level `debug`, so that a start without problems logs only one
        // line at level `info`: that the server is ready.
        log[wasLost ? 'info' : 'debug'](
          { kind: 'feed_trusted' },
          'the change feed is trusted: from now on it reports every change, and reads use the caches',
        );
        wasLost = false;
        return;
      case 'untrusted':
        wasLost = true;
        return log.warn(
          { kind: 'feed_untrusted', reason: event.reason },
          'the change feed is not trusted, because it may miss changes: every read uses the database',
        );
      case 'servers_unknown':
        return log.warn(
          { kind: 'failover_undetected', reason: event.reason },
          'this server would not detect a failover that leaves the old primary running: grant its database role EXECUTE on the function in `reason`',
        );
      case 'clock_skewed':
        return log.warn(
          { kind: 'clock_differs', ahead_ms: event.skewMs },
          "this machine's clock differs from the database's: synchronize both with the same time servers",
        );
      case 'unknown_notification':
        return log.warn({ payload: event.payload }, 'the change feed ignored an unknown notification');
    }
  };
}

/** Logs when the use of tokens cannot be stored in the database, and when storing works again. */
export function createUsageLog(log: Log): (event: UsageRecorderEvent) => void {
  return (event) => {
    if (event.kind === 'usage_delayed') {
      log.warn(
        { reason: event.reason },
        'the use of tokens cannot be stored: the server keeps it in memory and tries again',
      );
    } else {
      const { dropped } = event;
      log[dropped > 0 ? 'warn' : 'info'](
        { dropped },
        'the use of tokens is stored again, except for the number of tokens in `dropped`',
      );
    }
  };
}

/** Logs why the guard of an extension did not decide. The action was refused. */
export function createGuardLog(log: Log): (extension: string, action: GuardedAction, error: unknown) => void {
  return (extension, action, err) =>
    log.warn(
      { kind: 'guard_failed', extension, action, err },
      'a guard did not decide, so the action was refused: correct the extension',
    );
}
