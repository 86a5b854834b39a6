import { describe, expect, it } from 'vitest';
import type { PasswordHash, PasswordHasher } from '../../src/users/password-hasher.ts';

export interface HashingLimits {
  /** Maximum number of hashes that are computed at once. */
  readonly concurrency: number;
  /** Maximum number of hashes that wait. */
  readonly queueLimit: number;
}

interface PasswordHasherHarness {
  createHasher(limits: HashingLimits): PasswordHasher;

  /** Creates a hasher with weaker parameters than `createHasher`. */
  createWeakerHasher(limits: HashingLimits): PasswordHasher;
}

const AMPLE: HashingLimits = { concurrency: 2, queueLimit: 100 };
const BUSY = { ok: false, error: { code: 'hashing_busy' } };

/** The contract of every PasswordHasher. */
export function passwordHasherContract(name: string, harness: PasswordHasherHarness): void {
  describe(`${name} as a PasswordHasher`, () => {
    const hasher = harness.createHasher(AMPLE);
    const hashOf = async (password: string, by = hasher): Promise<PasswordHash> => {
      const hashed = await by.hash(password);
      return hashed.ok ? hashed.value : expect.fail('the hasher was busy');
    };

    it('accepts only the password that was hashed', async () => {
      const hash = await hashOf('correct horse battery');
      expect(await hasher.verify('correct horse battery', hash)).toEqual({ ok: true, value: true });
      expect(await hasher.verify('correct horse batterie', hash)).toEqual({ ok: true, value: false });
      expect(await hasher.verify('', hash)).toEqual({ ok: true, value: false });
    });

    it('never writes the same hash twice, nor the password into it', async () => {
      const hashes = await Promise.all([1, 2, 3].map(() => hashOf('correct horse battery')));
      expect(new Set(hashes).size).toBe(3);
      for (const hash of hashes) expect(hash).not.toContain('correct');
    });

    it.each([
      ['a space at the end', 'correct horse ', 'correct horse'],
      ['a space at the beginning', ' correct horse', 'correct horse'],
      ['case', 'Correct horse', 'correct horse'],
      ['the 73rd character', `${'a'.repeat(72)}b`, `${'a'.repeat(72)}c`],
      ['whether there is a 73rd character', `${'a'.repeat(73)}`, `${'a'.repeat(72)}`],
      ['the 1024th character', `${'é'.repeat(1023)}b`, `${'é'.repeat(1023)}c`],
      ['how an accent is composed', 'caf\u00e9 au lait', 'cafe\u0301 au lait'],
      ['a compatibility form', '\u2460 correct horse', '1 correct horse'],
      ['what follows a NUL', 'correct\u0000horse', 'correct\u0000battery'],
      ['a line feed at the end', 'correct horse\n', 'correct horse'],
    ])('takes passwords exactly as given: %s matters', async (_, password, other) => {
      const hash = await hashOf(password);
      expect(await hasher.verify(password, hash)).toEqual({ ok: true, value: true });
      expect(await hasher.verify(other, hash)).toEqual({ ok: true, value: false });
    });

    it('returns false for any password if no hash is stored', async () => {
      for (const password of ['correct horse', '', 'undefined']) {
        expect(await hasher.verify(password, undefined)).toEqual({ ok: true, value: false });
      }
    });

    it('recognizes a hash with weaker parameters, and still verifies it', async () => {
      const weakerHasher = harness.createWeakerHasher(AMPLE);
      const [own, weaker] = [await hashOf('correct horse'), await hashOf('correct horse', weakerHasher)];
      expect([hasher.isOutdated(own), hasher.isOutdated(weaker)]).toEqual([false, true]);
      expect([weakerHasher.isOutdated(own), weakerHasher.isOutdated(weaker)]).toEqual([false, false]);
      expect(await hasher.verify('correct horse', weaker)).toEqual({ ok: true, value: true });
      expect(await hasher.verify('correct house', weaker)).toEqual({ ok: true, value: false });
    });

    it.each<[string, (hash: string) => string]>([
      ['nothing', () => ''],
      ['text', () => 'correct horse'],
      ['half a hash', (hash) => hash.slice(0, hash.length / 2)],
      ['a hash of another kind', () => '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
    ])('treats a damaged hash as a fault, not as a wrong password: %s', async (_, damage) => {
      const damaged = damage(await hashOf('correct horse')) as PasswordHash;
      await expect(hasher.verify('correct horse', damaged)).rejects.toThrow();
      expect(() => hasher.isOutdated(damaged)).toThrow();
    });

    it('refuses at once what exceeds its limits, and continues when there is room again', async () => {
      const limited = harness.createHasher({ concurrency: 2, queueLimit: 1 });
      const hash = await hashOf('correct horse', limited);
      for (let round = 0; round < 3; round += 1) {
        const answers: string[] = [];
        const note = (answer: { readonly ok: boolean }) => answers.push(answer.ok ? 'done' : 'busy');
        await Promise.all([
          limited.hash('correct horse').then(note),
          limited.verify('correct horse', hash).then(note),
          limited.verify('correct horse', undefined).then(note),
          ...[hash, undefined].map((stored) => limited.verify('correct horse', stored).then(note)),
          limited.hash('correct horse').then(note),
        ]);
        expect(answers).toEqual(['busy', 'busy', 'busy', 'done', 'done', 'done']);
      }
    });

    it('distinguishes busy from a wrong password', async () => {
      const limited = harness.createHasher({ concurrency: 1, queueLimit: 0 });
      const hash = await hashOf('correct horse', limited);
      const [first, ...others] = await Promise.all([
        limited.hash('correct horse'),
        limited.hash('correct horse'),
        limited.verify('correct horse', hash),
        limited.verify('correct horse', undefined),
      ]);
      expect(first.ok).toBe(true);
      expect(others).toEqual([BUSY, BUSY, BUSY]);
    });

    it('frees its capacity after faults', async () => {
      const limited = harness.createHasher({ concurrency: 1, queueLimit: 1 });
      for (let fault = 0; fault < 5; fault += 1) {
        await expect(limited.verify('correct horse', 'damaged' as PasswordHash)).rejects.toThrow();
      }
      expect(await Promise.all([limited.hash('one'), limited.hash('two')])).toMatchObject([
        { ok: true },
        { ok: true },
      ]);
    });
  });
}
