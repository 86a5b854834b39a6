/** Whether a value of a repository, which callers share, is immutable. Byte arrays cannot be frozen. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
