import { randomBytes } from 'node:crypto';
import type { PasswordHash, PasswordHasher } from '@gatehouse/domain';
import { hash, hashSync, parseOptions, verify } from '@node-rs/argon2';
import { boundWork, type WorkLimits } from './bounded-work.ts';

/** The cost of one hash. */
export interface Argon2Parameters {
  /** KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
  /** Lanes, which the library computes one after another. */
  readonly parallelism: number;
}

/** What OWASP's password storage cheat sheet asks of argon2id. */
const RECOMMENDED: Argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How a hash of today's algorithm (argon2id) and version (RFC 9106) begins. */
const CURRENT = '$argon2id$v=19$';

const SALT_LENGTH = 16;
const HASH_LENGTH = 32;

export interface Argon2Options extends WorkLimits {
  readonly parameters?: Argon2Parameters;
}

/**
 * Hashes with argon2id on the threads of libuv, whose number (`UV_THREADPOOL_SIZE`, 4) bounds what
 * `concurrency` can achieve. Its memory is at most `concurrency` times the memory cost.
 */
export function createArgon2PasswordHasher(options: Argon2Options): PasswordHasher {
  const { parameters = RECOMMENDED, ...limits } = options;
  const bounded = boundWork(limits);
  // Made here and now, so that the first unknown email takes no longer than the second. No password is
  // behind it: verifying against it answers false.
  const dummy = hashSync(randomBytes(HASH_LENGTH), parameters);

  return {
    hash: (password) => bounded(async () => (await hash(password, parameters)) as PasswordHash),

    verify: (password, stored) => bounded(() => verify(stored ?? dummy, password)),

    isOutdated(stored) {
      const { memoryCost, timeCost, outputLen, saltLen } = parseOptions(stored);
      return (
        !stored.startsWith(CURRENT) ||
        memoryCost < parameters.memoryCost ||
        timeCost < parameters.timeCost ||
        outputLen < HASH_LENGTH ||
        saltLen < SALT_LENGTH
      );
    },
  };
}
