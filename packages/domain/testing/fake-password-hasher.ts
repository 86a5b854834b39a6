import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { err, ok, type Result } from '../src/result.ts';
import type { HashingBusy, PasswordHash, PasswordHasher } from '../src/users/password-hasher.ts';
import type { HashingLimits } from './contracts/password-hasher-contract.ts';

interface FakeHashing extends HashingLimits {
  /** A hash of a lower cost is outdated. */
  readonly cost: number;
}

/** Creates a PasswordHasher for tests with a fast salted hash. */
export function createFakePasswordHasher(options: Partial<FakeHashing> = {}): PasswordHasher {
  const { cost = 2, concurrency = 1_000, queueLimit = 0 } = options;
  let underWay = 0;

  const work = async <T>(task: () => T): Promise<Result<T, HashingBusy>> => {
    if (underWay === concurrency + queueLimit) return err({ code: 'hashing_busy' });
    underWay += 1;
    try {
      await setImmediate();
      return ok(task());
    } finally {
      underWay -= 1;
    }
  };

  return {
    hash: (password) => work(() => write(cost, randomUUID(), password)),
    verify: (password, hash) =>
      work(() => hash !== undefined && write(parse(hash).cost, parse(hash).salt, password) === hash),
    isOutdated: (hash) => parse(hash).cost < cost,
  };
}

function write(cost: number, salt: string, password: string): PasswordHash {
  const digest = createHash('sha256').update(salt).update(password).digest('base64url');
  return `fake$${cost}$${salt}$${digest}` as PasswordHash;
}

function parse(hash: PasswordHash): { readonly cost: number; readonly salt: string } {
  const [, cost, salt] = /^fake\$(\d+)\$([0-9a-f-]{36})\$[\w-]{43}$/.exec(hash) ?? [];
  if (cost === undefined || salt === undefined) throw new Error('a stored password hash is damaged');
  return { cost: Number(cost), salt };
}
