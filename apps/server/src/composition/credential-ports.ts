import { setTimeout as delay } from 'node:timers/promises';
import * as signIns from '@gatehouse/domain/sign-in';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import type { PasswordHasher, UserRepository } from '@gatehouse/domain/users';
import { createPostgresSignInThrottle } from '@gatehouse/postgres';
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

/** Creates the ports that verify a password within the limits on sign-ins. Every question for a password uses them. */
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
