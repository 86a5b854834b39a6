import { setTimeout as delay } from 'node:timers/promises';
import { err, ok } from '@gatehouse/domain';
import type { BreakGlass } from '@gatehouse/domain/break-glass';
import * as signIns from '@gatehouse/domain/sign-in';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import type { PasswordHasher, UserRepository } from '@gatehouse/domain/users';
import { createPostgresSignInThrottle } from '@gatehouse/postgres';
import { createFairQueue, type FairQueueLimits } from '@gatehouse/queues';
import * as capacity from '../settings/sign-in-capacity.ts';
import { connectionsWithin, openFilesLimit } from '../start/open-files.ts';
import type { Environment } from './environment.ts';

interface AdmissionServices {
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly repositories: { readonly users: UserRepository; readonly breakGlass: BreakGlass };
  readonly passwords: PasswordHasher;
}

/**
 * Creates the ports that verify passwords within the limits on sign-ins. The API's sign-in, the sign-in page and the
 * page that changes a password use the same ports, and so share the limits.
 */
export function createSignInAdmission(
  { settings, database }: Pick<Environment, 'settings' | 'database'>,
  { clock, monotonicClock, repositories: { users, breakGlass }, passwords }: AdmissionServices,
) {
  const stored = createPostgresSignInThrottle(database, { limits: capacity.signInLimits(settings), clock });
  const throttle = signIns.cacheRefusals(stored, { monotonicClock });
  const queue = createSignInQueue(capacity.signInQueueLimits(settings), monotonicClock);
  const signInGate = signIns.createSignInGate({
    throttle,
    queue,
    monotonicClock,
    maxHeld: capacity.maxHeldRefusals(connectionsWithin(openFilesLimit(), settings.MAX_CONNECTIONS)),
    pause: (milliseconds) => delay(milliseconds),
  });
  const passwordSignIn = settings.PASSWORD_SIGN_IN;
  const ports = { users, passwords, throttle, signInGate, breakGlass, passwordSignIn, clock };
  return { ports, load: queue.load };
}

/** The limits of the queue of sign-ins, in which each client network is a key. */
export interface SignInQueueLimits extends FairQueueLimits {
  /**
   * The longest time that a sign-in may wait in the queue, in milliseconds. A sign-in that waited longer is refused
   * when it reaches the head of the queue.
   */
  readonly maxWaitMs: number;
}

const BUSY = {
  key: err({ code: 'hashing_busy', limit: 'network' } as const),
  queue: err({ code: 'hashing_busy', limit: 'queue' } as const),
  time: err({ code: 'hashing_busy', limit: 'queue' } as const),
};

/**
 * Creates a queue of sign-ins in which client networks take turns, so that one network does not delay the sign-ins of
 * the others.
 */
export function createSignInQueue(
  { maxWaitMs, ...limits }: SignInQueueLimits,
  clock: MonotonicClock,
): signIns.SignInQueue & Pick<ReturnType<typeof createFairQueue>, 'load'> {
  const queue = createFairQueue<string>(limits);
  return {
    async enter(network) {
      const since = clock.elapsedMs();
      const refusal = await queue.enter(network, { isWanted: () => clock.elapsedMs() - since <= maxWaitMs });
      return refusal ? BUSY[refusal] : ok({ [Symbol.dispose]: () => queue.leave(network) });
    },
    load: queue.load,
  };
}
