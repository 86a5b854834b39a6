import { err, type Result } from '../result.ts';
import { UnavailableFault } from '../unavailable-fault.ts';
import type { KeysChanged } from './signing-key-repository.ts';

const MAX_ATTEMPTS = 10;

/** Retries up to ten times if another process changed the keys meanwhile. */
export async function untilUnchanged<T, E extends { readonly code: string }>(
  attempt: () => Promise<Result<T, E | KeysChanged>>,
): Promise<Result<T, Exclude<E, KeysChanged>>> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const outcome = await attempt();
    if (outcome.ok) return outcome;
    if (outcome.error.code !== 'keys_changed') return err(outcome.error as Exclude<E, KeysChanged>);
  }
  throw new UnavailableFault('the signing keys changed each time before they could be used');
}
