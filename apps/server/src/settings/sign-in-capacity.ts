import { availableParallelism } from 'node:os';
import type { SignInLimits } from '@gatehouse/domain/sign-in';
import type { SignInQueueLimits } from '../composition/sign-in-admission.ts';
import type { Settings } from './settings.ts';

/**
 * Maximum number of queued sign-ins per process. If the queue is full, its last sign-in waits for about two seconds.
 */
export const MAX_QUEUED_SIGN_INS = 256;
/**
 * Maximum number of queued sign-ins in each process from one client network, which is an IPv4 address or the /64 of an
 * IPv6 address. So one client cannot fill the queue.
 */
const MAX_QUEUED_SIGN_INS_PER_NETWORK = MAX_QUEUED_SIGN_INS / 4;
/** The longest wait of a sign-in in the queue, in milliseconds. After that time, the sign-in is refused with 503. */
const MAX_SIGN_IN_WAIT_MS = 5_000;
/**
 * The number of concurrent sign-ins for each concurrent password hash. While some sign-ins wait for the database, the
 * passwords of others are hashed.
 */
const SIGN_INS_PER_HASH = 8;
/** The number of database connections that are reserved for other requests than sign-ins. */
const SPARE_CONNECTIONS = 2;

/**
 * Maximum number of passwords that a process hashes at once. Each hash needs 19 MiB of memory, and much of the memory's
 * bandwidth.
 */
const MAX_CONCURRENT_HASHES = 4;

/**
 * Returns how many passwords a process hashes at once. One core is reserved for other work, and the workers share the
 * other cores. The maximum applies to each worker, so that a server with more workers hashes more passwords.
 *
 * @param cores the number of cores that this process may use
 */
export function concurrentHashes(
  { WORKERS }: Pick<Settings, 'WORKERS'>,
  cores = availableParallelism(),
): number {
  const share = Math.floor((cores - 1) / WORKERS);
  return Math.max(1, Math.min(MAX_CONCURRENT_HASHES, share));
}

/**
 * Returns the limits of the queue of sign-ins. They depend on how many passwords a process hashes at once, and on its
 * number of database connections.
 */
export function signInQueueLimits(settings: Settings): SignInQueueLimits {
  const hashes = concurrentHashes(settings);
  const connections = settings.DATABASE_POOL_SIZE - SPARE_CONNECTIONS;
  return {
    concurrency: Math.max(hashes, Math.min(hashes * SIGN_INS_PER_HASH, connections)),
    queued: MAX_QUEUED_SIGN_INS,
    queuedPerKey: MAX_QUEUED_SIGN_INS_PER_NETWORK,
    maxWaitMs: MAX_SIGN_IN_WAIT_MS,
  };
}

/** Returns the limits of sign-in attempts, with times in milliseconds. */
export function signInLimits(settings: Settings): SignInLimits {
  return {
    address: { attempts: settings.SIGN_IN_ADDRESS_ATTEMPTS, windowMs: settings.SIGN_IN_ADDRESS_WINDOW },
    account: { failures: settings.SIGN_IN_ACCOUNT_FAILURES, pauseMs: settings.SIGN_IN_ACCOUNT_PAUSE },
    knownAddress: {
      attempts: settings.SIGN_IN_KNOWN_ADDRESS_ATTEMPTS,
      windowMs: settings.SIGN_IN_KNOWN_ADDRESS_WINDOW,
      memoryMs: settings.SIGN_IN_KNOWN_ADDRESS_MEMORY,
    },
  };
}

/**
 * Maximum number of refused sign-ins whose answers are delayed at the same time. Each delayed answer takes memory until
 * it is sent.
 */
const MAX_HELD_REFUSALS = 4_096;

/**
 * Returns how many refused sign-ins a process with this many connections delays at once. A connection with a pending
 * response cannot be closed to make room for a new connection. So at most half of the connections may have a delayed
 * answer.
 */
export function maxHeldRefusals(connections: number): number {
  return Math.min(MAX_HELD_REFUSALS, Math.floor(connections / 2));
}
