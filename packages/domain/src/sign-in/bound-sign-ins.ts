import type { Result } from '../result.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import type { SignIn } from './sign-in.ts';

/** Does work when its turn comes, or refuses it: at once, or when it has waited too long for that. */
export type Admission = <T>(work: () => Promise<T>) => Promise<Result<T, HashingBusy>>;

/**
 * Has sign-ins wait for their turn before they do anything, or be refused before that: they are not counted as
 * attempts then. Were hashing alone bounded, a crowd would first be counted, one after the other on the same rows,
 * and whatever else needs the database would wait behind it.
 */
export function boundSignIns(signIn: SignIn, admit: Admission): SignIn {
  return async (input) => {
    const admitted = await admit(() => signIn(input));
    return admitted.ok ? admitted.value : admitted;
  };
}
