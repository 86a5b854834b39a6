import { checkStoredName } from '../../text.ts';
import { parseUserId, type User, type UserId } from '../user.ts';

/** The orders of an account's users: by name, regardless of case, or newest first. Equal names are sorted by id. */
export const USER_ORDERS = ['name', 'newest'] as const;

export type UserOrder = (typeof USER_ORDERS)[number];

/** A position in a sorted list of users. It stays valid if the user there gets another name. */
export interface UserCursor {
  /** The name of the user; an empty text in the order `newest`. */
  readonly value: string;
  readonly id: UserId;
}

/** Returns the position of the user in this order. */
export function userCursorOf(order: UserOrder, { id, name }: Pick<User, 'id' | 'name'>): UserCursor {
  return { value: order === 'name' ? name : '', id };
}

/** Writes a cursor as text for a URL, not percent-encoded. */
export function formatUserCursor({ value, id }: UserCursor): string {
  return value === '' ? String(id) : `${id} ${value}`;
}

/** Parses the text of a cursor of this order; undefined for other text. */
export function parseUserCursor(order: UserOrder, text: string): UserCursor | undefined {
  const [, digits = '', value = ''] = /^([1-9]\d{0,15})(?: (.*))?$/su.exec(text) ?? [];
  const id = parseUserId(digits);
  if (id === undefined) return undefined;
  if (order === 'newest') return value === '' && text === digits ? { value, id } : undefined;
  return checkStoredName('cursor', value).ok ? { value, id } : undefined;
}
