import { randomBytes } from 'node:crypto';
import { err, type Result } from '@gatehouse/domain';
import type { HashingBusy, PasswordHash, PasswordHasher } from '@gatehouse/domain/users';
import { createFairQueue } from '@gatehouse/queues';
import * as library from '@node-rs/argon2';
import type { Argon2, Argon2Parameters } from './argon2.ts';

/** The parameters that OWASP's password storage cheat sheet requires for argon2id. */
const RECOMMENDED: Argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The prefix of a hash of the current algorithm (argon2id) and version (RFC 9106). */
const CURRENT = '$argon2id$v=19$';

const SALT_LENGTH = 16;
const HASH_LENGTH = 32;

export interface Argon2Options {
  /** The maximum number of concurrent hashes. */
  readonly concurrency: number;
  /** The maximum number of hashes that wait. */
  readonly queueLimit: number;
  readonly parameters?: Argon2Parameters;
  /**
   * Computes the hashes. Default: the library's functions, which use libuv's threads with the priority of the event
   * loop.
   */
  readonly argon2?: Argon2;
}

interface Argon2PasswordHasher extends PasswordHasher {
  /** Returns the numbers of running and waiting hashes. */
  load(): { readonly active: number; readonly waiting: number };
}

/** Creates a hasher with argon2id. It uses at most `concurrency` times the memory cost. */
export function createArgon2PasswordHasher(options: Argon2Options): Argon2PasswordHasher {
  const { concurrency, queueLimit, parameters = RECOMMENDED, argon2 = library } = options;
  // The queue could serve several keys in turn. All hashes have the same key, because sign-ins have already waited in a
  // queue that serves the clients' networks in turn.
  const queue = createFairQueue<'any'>({ concurrency, queued: queueLimit, queuedPerKey: queueLimit });
  // For a sign-in with an unknown email, the password is compared with this hash, so that the sign-in takes as long as
  // any other. It is the hash of random bytes, so no password matches. It is computed at the start, so that no sign-in
  // takes longer.
  const dummy = library.hashSync(randomBytes(HASH_LENGTH), parameters);

  async function run<T>(work: () => Promise<T>): Promise<Result<T, HashingBusy>> {
    const done = await queue.run('any', work);
    return done.ok ? done : err({ code: 'hashing_busy' });
  }

  return {
    hash: (password) => run(async () => (await argon2.hash(password, parameters)) as PasswordHash),

    verify: (password, stored) => run(() => argon2.verify(stored ?? dummy, password)),

    load: queue.load,

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
