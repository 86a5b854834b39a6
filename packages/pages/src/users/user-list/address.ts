import { type ListAccountUsersInput, parseUserCursor, ROLES, USER_ORDERS } from '@gatehouse/domain/users';
import { isSearchable, parametersOf } from '../../address.ts';
import { USERS, withQuery } from '../../paths.ts';

/** The maximum length of a search, in characters. */
export const MAX_SEARCH_LENGTH = 200;

const STATUSES = ['active', 'disabled'] as const;

const oneOf = <const T extends string>(all: readonly T[], text: string) => all.find((each) => each === text);

/** The values of the form above the list, by the parameters of the address. */
export interface Values {
  readonly search?: string | undefined;
  readonly role?: string | undefined;
  readonly status?: string | undefined;
  readonly order?: string | undefined;
}

export interface UserListAddress {
  readonly values: Values;
  readonly input: ListAccountUsersInput;
  /** Whether the address has no search and no filter. */
  readonly isWhole: boolean;
  /** The parameters that the page ignores. */
  readonly leftOut: readonly string[];
}

export function readAddress(query: URLSearchParams): UserListAddress {
  const { leftOut, read } = parametersOf(query);
  const search = read('search', (text) => (isSearchable(text, MAX_SEARCH_LENGTH) ? text : undefined));
  const role = read('role', (text) => oneOf(ROLES, text));
  const status = read('status', (text) => oneOf(STATUSES, text));
  const order = read('order', (text) => oneOf(USER_ORDERS, text));
  const position = (text: string) => parseUserCursor(order ?? 'name', text);
  const after = read('after', position);
  const before = after === undefined ? read('before', position) : undefined;
  const isDisabled = status === undefined ? undefined : status === 'disabled';
  return {
    values: { search, role, status, order },
    input: {
      search,
      role,
      isDisabled,
      ...(order && { order }),
      ...(after && { cursor: { after } }),
      ...(before && { cursor: { before } }),
    },
    isWhole: search === undefined && role === undefined && status === undefined,
    leftOut,
  };
}

/** Writes the address of the list with these values. @param page the position at which the page begins */
export function listPath({ order, ...values }: Values, page: Record<string, string> = {}): string {
  return withQuery(USERS, { ...values, order: order === 'name' ? undefined : order, ...page });
}
