import { checkStoredName } from '../../text.ts';
import { formatInstant, type Instant, parseInstant } from '../../time/instant.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import { parseTokenId, type TokenId } from '../token.ts';

/**
 * The orders of an account's tokens: newest first; by name, regardless of case; by expiry, soonest first and tokens
 * that never expire last; by the day (UTC) of the last use. A token that was never used counts as used longer ago than
 * all other tokens. Tokens that are equal in an order are sorted by id.
 */
export const TOKEN_ORDERS = [
  'newest',
  'name',
  'expiry',
  'least_recently_used',
  'most_recently_used',
] as const;

export type TokenOrder = (typeof TOKEN_ORDERS)[number];

/**
 * A position in a sorted list of tokens. The position stays valid if the token there is deleted or moves in the list.
 */
export interface TokenCursor {
  /**
   * The value that the order compares: a name, an RFC 3339 time, a day such as 2026-01-31, `never`, or an empty text.
   */
  readonly value: string;
  readonly id: TokenId;
}

const ID_LENGTH = 36;
const NEVER = 'never';

/** Returns the position of the token in this order. */
export function cursorOf(order: TokenOrder, { id, name, expiresAt, usage }: TokenDetails): TokenCursor {
  const timeOf = (instant: Instant | null) => (instant === null ? NEVER : formatInstant(instant));
  if (order === 'newest') return { value: '', id };
  if (order === 'name') return { value: name, id };
  if (order === 'expiry') return { value: timeOf(expiresAt), id };
  return { value: timeOf(usage.lastUsedAt).slice(0, 10), id };
}

/**
 * Writes a cursor as text for a URL, not percent-encoded. The form of the text must not change, because users share
 * URLs.
 */
export function formatTokenCursor({ value, id }: TokenCursor): string {
  return `${id}${value}`;
}

/** Parses the text of a cursor of this order; undefined for other text. */
export function parseTokenCursor(order: TokenOrder, text: string): TokenCursor | undefined {
  const id = parseTokenId(text.slice(0, ID_LENGTH));
  const value = text.slice(ID_LENGTH);
  return id !== undefined && isValueOf(order, value) ? { value, id } : undefined;
}

function isValueOf(order: TokenOrder, value: string): boolean {
  if (order === 'newest') return value === '';
  if (order === 'name') return checkStoredName('cursor', value).ok;
  if (value === NEVER) return true;
  const instant = parseInstant(order === 'expiry' ? value : `${value}T00:00:00Z`);
  // A time before 1970 is invalid, because no token was used or expires before 1970.
  if (instant === undefined || instant < 0) return false;
  // A cursor is valid only in the form that `cursorOf` writes.
  const written = formatInstant(instant);
  return value === (order === 'expiry' ? written : written.slice(0, 10));
}
