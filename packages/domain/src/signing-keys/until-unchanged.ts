import { err, type Result } from '../result.ts';
import type { KeysChanged } from './signing-key-repository.ts';

/** Does it again whenever someone else changed the keys meanwhile; each time means that somebody got on. */
export async function untilUnchanged<T, E extends { readonly code: string }>(
  attempt: () => Promise<Result<T, E | KeysChanged>>,
): Promise<Result<T, Exclude<E, KeysChanged>>> {
  for (;;) {
    const outcome = await attempt();
    if (outcome.ok) return outcome;
    const { error } = outcome;
    if (!isKeysChanged(error)) return err(error as Exclude<E, KeysChanged>);
  }
}

function isKeysChanged(error: { readonly code: string }): error is KeysChanged {
  return error.code === 'keys_changed';
}
