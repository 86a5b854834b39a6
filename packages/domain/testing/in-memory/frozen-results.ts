/** The same repository, whose every answer is frozen to its last member, as those of real ones are. */
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
