import type { ChangeFeedEvent, UsageRecorderEvent } from '@gatehouse/postgres';
import type { Logger } from 'pino';

/** Logs what becomes of the change feed: without it every request reads the database. */
export function createFeedLog(log: Logger): (event: ChangeFeedEvent) => void {
  return (event) => {
    switch (event.kind) {
      case 'trusted':
        return log.debug('the change feed is trusted: what is read is remembered');
      case 'untrusted':
        return log.warn({ reason: event.reason }, 'the change feed is not trusted: nothing is remembered');
      case 'unknown_notification':
        return log.warn({ payload: event.payload }, 'a notification that nobody understands was ignored');
    }
  };
}

/** Logs when the usage of tokens cannot be stored, and when it is again. */
export function createUsageLog(log: Logger): (event: UsageRecorderEvent) => void {
  return (event) => {
    if (event.kind === 'usage_delayed')
      log.warn({ reason: event.reason }, 'the usage of tokens cannot be stored');
    else log.warn({ dropped: event.dropped }, 'the usage of tokens is stored again');
  };
}
