import { randomBytes } from 'node:crypto';
import type { PasswordHash, PasswordHasher } from '@gatehouse/domain/users';
import * as library from '@node-rs/argon2';
import type { Argon2, Argon2Parameters } from './argon2.ts';
import { boundWork, type WorkLimits, type WorkLoad } from './bounded-work.ts';

/** What OWASP's password storage cheat sheet asks of argon2id. */
const RECOMMENDED: Argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How a hash of today's algorithm (argon2id) and version (RFC 9106) begins. */
const CURRENT = '$argon2id$v=19$';

const SALT_LENGTH = 16;
const HASH_LENGTH = 32;

export interface Argon2Options extends WorkLimits {
  readonly parameters?: Argon2Parameters;
  /** Who computes. Without it libuv's threads do: no start to wait for, but the event loop's own priority. */
  readonly argon2?: Argon2;
}

export interface Argon2PasswordHasher extends PasswordHasher {
  /** The hashes that are asked for and not done. */
  load(): WorkLoad;
}

/** Hashes with argon2id. Its memory is at most `concurrency` times the memory cost. */
export function createArgon2PasswordHasher(options: Argon2Options): Argon2PasswordHasher {
  const { parameters = RECOMMENDED, argon2 = library, ...limits } = options;
  const bounded = boundWork(limits);
  // Made here and now, so that the first unknown email takes no longer than the second. No password is
  // behind it: verifying against it answers false.
  const dummy = library.hashSync(randomBytes(HASH_LENGTH), parameters);

  return {
    hash: (password) => bounded(async () => (await argon2.hash(password, parameters)) as PasswordHash),

    verify: (password, stored) => bounded(() => argon2.verify(stored ?? dummy, password)),

    load: () => bounded.load(),

    isOutdated(stored) {
      const { memoryCost, timeCost, outputLen, saltLen } = library.parseOptions(stored);
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
