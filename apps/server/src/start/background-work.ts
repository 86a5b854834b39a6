import type { Reaction } from '@gatehouse/domain/reactions';
import type { RunningServer } from '../container.ts';
import type { Log } from '../logging/line-kind.ts';
import { startReactions } from '../reactions/start-reactions.ts';
import type { Settings } from '../settings/settings.ts';
import { startHousekeeping } from './housekeeping.ts';

interface BackgroundWork {
  readonly services: RunningServer;
  readonly reactions: readonly Reaction[];
  readonly settings: Settings;
  readonly log: Log;
  /** Closes everything that the process opened. */
  readonly resources: AsyncDisposableStack;
  /** Resolves when the server is asked to stop. */
  readonly requested: Promise<string>;
}

/** Starts the work that no request asks for: the housekeeping and the reactions to events. */
export function startBackgroundWork(work: BackgroundWork): void {
  const { services, reactions, settings, log, resources, requested } = work;
  const { repositories, clock, monotonicClock, reactionMetrics: metrics } = services;
  resources.defer(startHousekeeping({ ...servicesOfHousekeeping(services), settings, log }));
  const stopReactions = startReactions({ reactions, repositories, clock, monotonicClock, log, metrics });
  resources.defer(stopReactions);
  // Handlers end while requests are still answered.
  void requested.then(stopReactions);
}

function servicesOfHousekeeping(services: RunningServer) {
  const { sweepAttempts, sweepSessions, forgetAddresses, recordTimeEvents, sealAuditEvents, mailing } =
    services;
  const sendDigests = mailing?.sendDigests;
  return { sweepAttempts, sweepSessions, forgetAddresses, recordTimeEvents, sealAuditEvents, sendDigests };
}
