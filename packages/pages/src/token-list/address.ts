import { isStorable } from '@gatehouse/domain';
import type { Scope } from '@gatehouse/domain/access';
import {
  isAcceptedIn,
  type ListAccountTokensInput,
  parseTokenCursor,
  TOKEN_ORDERS,
  TOKEN_SECTIONS,
  TOKEN_STATES,
  type TokenSection,
} from '@gatehouse/domain/tokens';
import { EMAIL_MAX_LENGTH } from '@gatehouse/domain/users';
import { API_TOKENS } from '../paths.ts';

const DAY = 86_400_000;

/** In characters: the length of the longest name. */
export const MAX_SEARCH_LENGTH = 200;

/** A state of the filter: active tokens that were refused since they were last used, or a state of tokens. */
export const REFUSED = 'refused';

type Reader = (text: string) => Partial<ListAccountTokensInput> | undefined;

/** Reads each parameter; undefined for an unknown text. */
const READERS = {
  section: (text) => known(TOKEN_SECTIONS, text, (section) => ({ section })),
  search: (text) => typed(text, MAX_SEARCH_LENGTH) && { search: text },
  state: (text) => {
    if (text === REFUSED) return { refusedSinceUse: true, section: 'active' };
    return known(TOKEN_STATES, text, (state) => ({
      state,
      section: isAcceptedIn(state) ? 'active' : 'ended',
    }));
  },
  scope: (text) => (isScope(text) ? { scope: text } : undefined),
  owner: (text) => typed(text, EMAIL_MAX_LENGTH) && { creator: text },
  unused_for: (text) => days(text, (unusedFor) => ({ unusedFor })),
  expires: (text) => {
    if (text === 'never') return { neverExpiring: true };
    return days(text, (expiringWithin) => ({ expiringWithin }));
  },
  order: (text) => known(TOKEN_ORDERS, text, (order) => ({ order })),
} as const satisfies Record<string, Reader>;

export type Parameter = keyof typeof READERS;

const PARAMETERS = Object.keys(READERS) as readonly Parameter[];

/** Parameters of active tokens only. */
const OF_ACTIVE: ReadonlySet<Parameter> = new Set(['unused_for', 'expires']);

/** Parameters that filter a section. */
const FILTERS: readonly Parameter[] = ['search', 'state', 'scope', 'owner', 'unused_for', 'expires'];

export type Values = Readonly<Partial<Record<Parameter, string>>>;

/** The parsed address of the list. */
export interface ListAddress {
  readonly section: TokenSection;
  /** The known parameters as they are written, without the page. */
  readonly values: Values;
  readonly input: ListAccountTokensInput;
  /** Whether the address asks for all tokens of the section. */
  readonly isWhole: boolean;
  /** Unknown parameters, such as `state=lost`. */
  readonly leftOut: readonly string[];
}

/** Reads the address of the list. A form sends its untouched fields as empty parameters. */
export function readAddress(query: URLSearchParams): ListAddress {
  const leftOut: string[] = [];
  const leaveOut = (name: string, text: string) => void leftOut.push(`${name}=${text}`.slice(0, 80));
  const values: Partial<Record<Parameter, string>> = {};
  let input: ListAccountTokensInput = {};
  for (const name of PARAMETERS) {
    const text = query.get(name)?.trim();
    if (!text) continue;
    const read: Partial<ListAccountTokensInput> | undefined = READERS[name](text);
    if (read === undefined || (input.section === 'ended' && OF_ACTIVE.has(name))) leaveOut(name, text);
    else {
      values[name] = text;
      input = { ...input, ...read };
    }
  }
  const { section = 'active' } = input;
  for (const direction of ['after', 'before'] as const) {
    const text = query.get(direction);
    if (!text || input.cursor) continue;
    const position = parseTokenCursor(input.order ?? 'newest', text);
    if (position === undefined) leaveOut(direction, text);
    else input = { ...input, cursor: direction === 'after' ? { after: position } : { before: position } };
  }
  const isWhole = FILTERS.every((name) => values[name] === undefined);
  return { section, values: { ...values, section }, input, isWhole, leftOut };
}

/** Writes an address of the list, without defaults. @param page where it starts */
export function listPath(
  { section, order, ...values }: Values,
  page: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(section === 'ended' && { section }),
    ...values,
    ...(order !== undefined && order !== 'newest' && { order }),
    ...page,
  });
  return query.size === 0 ? API_TOKENS : `${API_TOKENS}?${query}`;
}

/** The part of the address that also applies to another section. */
export function valuesFor(section: TokenSection, { search, scope, owner, order }: Values): Values {
  const kept = { section, search, scope, owner, order };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

function known<const T extends string, R>(
  all: readonly T[],
  text: string,
  use: (value: T) => R,
): R | undefined {
  const value = all.find((each) => each === text);
  return value === undefined ? undefined : use(value);
}

/** Includes scopes of removed resources, which tokens can still have. */
function isScope(text: string): text is Scope {
  return /^(\*|[a-z][a-z0-9-]{0,62}:[a-z][a-z0-9_-]{0,62})$/.test(text);
}

function typed(text: string, maxLength: number): true | undefined {
  return text.length <= maxLength && isStorable(text) ? true : undefined;
}

/** A number of days, such as `90d`. */
function days<R>(text: string, use: (milliseconds: number) => R): R | undefined {
  const count = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  return count === undefined ? undefined : use(Number(count) * DAY);
}
