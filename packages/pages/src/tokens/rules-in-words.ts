import { formatDuration } from '@gatehouse/domain/time';
import type { LifetimeNotAllowed, ScopesNotAllowed } from '@gatehouse/domain/token-policy';

/** Says which expiry the rules of the account allow, as the message of a field. */
export function lifetimeProblemInWords({ maxLifetimeMs }: LifetimeNotAllowed): string {
  if (maxLifetimeMs === null) return 'is required: tokens of this account must expire';
  return `must be within ${durationInWords(maxLifetimeMs)}, the longest lifetime that your account allows`;
}

/** Says which scopes the rules of the account refuse, as the message of a field. */
export function scopesProblemInWords({ refused }: ScopesNotAllowed): string {
  return `The rules of your account do not allow ${refused.join(', ')}. Choose other scopes.`;
}

/** Says that the rules of the account demand networks, as the message of a field. */
export const NETWORKS_REQUIRED =
  'The rules of your account demand that tokens have networks, and refuse requests from elsewhere.';

const UNITS: Readonly<Record<string, string>> = { d: 'day', h: 'hour', m: 'minute', s: 'second' };

/** Formats a duration in words, such as `90 days`. */
export function durationInWords(milliseconds: number): string {
  const text = formatDuration(milliseconds);
  const [count, unit] = [Number(text.slice(0, -1)), UNITS[text.slice(-1)] ?? ''];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
