/** Wraps a repository so that its results are deeply frozen, as those of real ones are. */
export function frozenResults<T extends object>(repository: T): T {
  const methods = Object.entries(repository).map(([name, method]) => [
    name,
    async (...args: readonly unknown[]) => deepFreeze(await method(...args)),
  ]);
  return Object.fromEntries(methods) as T;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
