import type { Result } from '@gatehouse/domain';

/** Returns the value; an error fails the test. */
export function done<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
