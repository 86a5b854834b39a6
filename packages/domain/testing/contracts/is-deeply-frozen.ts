/** What repositories hand out is shared by whoever asks, and so changed by nobody. Bytes cannot be frozen. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
