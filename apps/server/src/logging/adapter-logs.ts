import type { ChangeFeedEvent } from '@gatehouse/domain/changes';
import type { UsageRecorderEvent } from '@gatehouse/postgres';
import type { Log } from './line-kind.ts';

/** Logs the state of the change feed. While the feed is not trusted, every request reads the database. */
export function createFeedLog(log: Log): (event: ChangeFeedEvent) => void {
  let wasLost = false;
  return (event) => {
    switch (event.kind) {
      case 'trusted':
        // At level `info`, a start without problems logs only that the server is serving.
        log[wasLost ? 'info' : 'debug'](
          { kind: 'feed_trusted' },
          'the change feed is trusted: reads are cached',
        );
        wasLost = false;
        return;
      case 'untrusted':
        wasLost = true;
        return log.warn(
          { kind: 'feed_untrusted', reason: event.reason },
          'the change feed is not trusted: reads are no longer cached',
        );
      case 'servers_unknown':
        return log.warn(
          { kind: 'failover_undetected', reason: event.reason },
          'a failover that leaves the old primary running is not detected',
        );
      case 'clock_skewed':
        return log.warn(
          { kind: 'clock_differs', ahead_ms: event.skewMs },
          "this machine's clock differs from the database's: set both by the same time servers",
        );
      case 'unknown_notification':
        return log.warn({ payload: event.payload }, 'an unknown notification was ignored');
    }
  };
}

/** Logs when token usage cannot be stored, and when storing works again. */
export function createUsageLog(log: Log): (event: UsageRecorderEvent) => void {
  return (event) => {
    if (event.kind === 'usage_delayed') {
      log.warn({ reason: event.reason }, 'the usage of tokens cannot be stored');
    } else {
      const { dropped } = event;
      log[dropped > 0 ? 'warn' : 'info']({ dropped }, 'the usage of tokens is stored again');
    }
  };
}
