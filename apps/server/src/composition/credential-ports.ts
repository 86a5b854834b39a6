import { setTimeout as delay } from 'node:timers/promises';
import { err, ok } from '@gatehouse/domain';
import type { SignInQueue } from '@gatehouse/domain/sign-in';
import * as signIns from '@gatehouse/domain/sign-in';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import type { PasswordHasher, UserRepository } from '@gatehouse/domain/users';
import { createPostgresSignInThrottle } from '@gatehouse/postgres';
import { createFairQueue } from '@gatehouse/queues';
import * as capacity from '../settings/sign-in-capacity.ts';
import { connectionsWithin, openFilesLimit } from '../start/open-files.ts';
import type { Environment } from './environment.ts';

interface CredentialServices {
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly repositories: { readonly users: UserRepository };
  readonly passwords: PasswordHasher;
  readonly signInQueue: signIns.SignInQueue;
}

/** Creates the ports that verify a password within the limits on sign-ins. All parts that ask for a password use them. */
export function createCredentialPorts(
  { settings, database }: Pick<Environment, 'settings' | 'database'>,
  { clock, monotonicClock, repositories: { users }, passwords, signInQueue: queue }: CredentialServices,
) {
  const stored = createPostgresSignInThrottle(database, { limits: capacity.signInLimits(settings), clock });
  const throttle = signIns.cacheRefusals(stored, { monotonicClock });
  const signInGate = signIns.createSignInGate({
    throttle,
    queue,
    pace: signIns.createRefusalRateLimit(signIns.DEFAULT_REFUSAL_RATE, monotonicClock),
    maxHeld: capacity.maxHeldRefusals(connectionsWithin(openFilesLimit(), settings.MAX_CONNECTIONS)),
    pause: (milliseconds) => delay(milliseconds),
  });
  return { users, passwords, throttle, signInGate };
}

export interface SignInQueueLimits {
  /** Maximum number of concurrent sign-ins. */
  readonly concurrency: number;
  /** Maximum number of queued sign-ins of all networks together. */
  readonly queued: number;
  /** Maximum number of queued sign-ins of one network. */
  readonly queuedPerNetwork: number;
  /** The longest wait of a sign-in, in milliseconds. After it the sign-in is refused at its turn. */
  readonly maxWaitMs: number;
}

const BUSY = {
  key: err({ code: 'hashing_busy', limit: 'network' } as const),
  queue: err({ code: 'hashing_busy', limit: 'queue' } as const),
  time: err({ code: 'hashing_busy', limit: 'queue' } as const),
};

/** Creates a queue of sign-ins that is fair to networks. */
export function createSignInQueue(
  { concurrency, queued, queuedPerNetwork, maxWaitMs }: SignInQueueLimits,
  clock: MonotonicClock,
) {
  const queue = createFairQueue<string>({ concurrency, queued, queuedPerKey: queuedPerNetwork });
  const enter: SignInQueue['enter'] = async (network) => {
    const since = clock.elapsedMs();
    const refusal = await queue.enter(network, { isWanted: () => clock.elapsedMs() - since <= maxWaitMs });
    return refusal ? BUSY[refusal.limit] : ok({ [Symbol.dispose]: () => queue.leave(network) });
  };
  return { enter, load: queue.load };
}
