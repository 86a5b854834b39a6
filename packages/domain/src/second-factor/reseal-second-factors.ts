import type { Ports } from '../ports.ts';
import type { MasterKeyReplacement } from '../signing-keys/key-encryption.ts';
import type { UserId } from '../users/user.ts';
import { secondFactorKeyId } from './second-factor.ts';
import type { FactorResealing } from './second-factor-repository.ts';

/** Second factors per batch. A batch is one short transaction, so sign-ins do not wait for it. */
const BATCH = 500;

export interface ResealedFactors {
  readonly rewrapped: number;
  readonly unchanged: number;
  /** The number of secrets that neither master key decrypts. They were lost before, and stay as they are. */
  readonly unreadable: number;
}

/**
 * Encrypts the secrets of all second factors with the next master key, in batches. The signing keys must be encrypted
 * with it before: from then on, no enrolment is stored under the current master key (`SecondFactorRepository.enrol`), so
 * no secret is missed.
 */
export async function resealSecondFactors(
  { secondFactors }: Ports<'secondFactors'>,
  { current, next }: MasterKeyReplacement,
): Promise<ResealedFactors> {
  let [rewrapped, unchanged, unreadable] = [0, 0, 0];
  let after: UserId | undefined;
  for (;;) {
    const page = await secondFactors.list({ after, limit: BATCH });
    const resealings: FactorResealing[] = [];
    for (const { userId, sealedSecret: from } of page) {
      const id = secondFactorKeyId(userId);
      if ((await next.open(from, id)).ok) {
        unchanged += 1;
        continue;
      }
      const secret = await current.open(from, id);
      if (secret.ok) resealings.push({ userId, from, to: await next.seal(secret.value, id) });
      else unreadable += 1;
    }
    await secondFactors.reseal(resealings);
    rewrapped += resealings.length;
    after = page.at(-1)?.userId;
    if (page.length < BATCH) return { rewrapped, unchanged, unreadable };
  }
}
