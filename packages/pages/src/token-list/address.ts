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
import { isSearchable, parametersOf } from '../address.ts';
import { API_TOKENS, withQuery } from '../paths.ts';

const DAY = 86_400_000;

/** In characters: the length of the longest name. */
export const MAX_SEARCH_LENGTH = 200;

/** A state of the filter: active tokens that were refused since they were last used, or a state of tokens. */
export const REFUSED = 'refused';

type Reader = (text: string) => Partial<ListAccountTokensInput> | undefined;

/** Reads each parameter; undefined for an unknown text. */
const READERS = {
  section: (text) => known(TOKEN_SECTIONS, text, (section) => ({ section })),
  search: (text) => (isSearchable(text, MAX_SEARCH_LENGTH) ? { search: text } : undefined),
  state: (text) => {
    if (text === REFUSED) return { refusedSinceUse: true, section: 'active' };
    return known(TOKEN_STATES, text, (state) => ({
      state,
      section: isAcceptedIn(state) ? 'active' : 'ended',
    }));
  },
  scope: (text) => (isScope(text) ? { scope: text } : undefined),
  owner: (text) => (isSearchable(text, EMAIL_MAX_LENGTH) ? { creator: text } : undefined),
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

export type Values = Readonly<Partial<Record<Parameter, string | undefined>>>;

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

/** Reads the address of the list. */
export function readAddress(query: URLSearchParams): ListAddress {
  const { leftOut, read } = parametersOf(query);
  const values: Partial<Record<Parameter, string | undefined>> = {};
  let input: ListAccountTokensInput = {};
  for (const name of PARAMETERS) {
    const isElsewhere = input.section === 'ended' && OF_ACTIVE.has(name);
    const known = read<Partial<ListAccountTokensInput>>(name, (text) =>
      isElsewhere ? undefined : READERS[name](text),
    );
    if (known === undefined) continue;
    values[name] = query.get(name)?.trim();
    input = { ...input, ...known };
  }
  const { section = 'active' } = input;
  for (const direction of ['after', 'before'] as const) {
    if (input.cursor) continue;
    const position = read(direction, (text) => parseTokenCursor(input.order ?? 'newest', text));
    if (position === undefined) continue;
    input = { ...input, cursor: direction === 'after' ? { after: position } : { before: position } };
  }
  const isWhole = FILTERS.every((name) => values[name] === undefined);
  return { section, values: { ...values, section }, input, isWhole, leftOut };
}

/** Writes an address of the list, without defaults. @param page where it starts */
export function listPath(
  { section, order, ...values }: Values,
  page: Readonly<Record<string, string>> = {},
): string {
  return withQuery(API_TOKENS, {
    section: section === 'ended' ? section : undefined,
    ...values,
    order: order === 'newest' ? undefined : order,
    ...page,
  });
}

/** The part of the address that also applies to another section. */
export const valuesFor = (section: TokenSection, { search, scope, owner, order }: Values): Values => ({
  section,
  search,
  scope,
  owner,
  order,
});

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

/** A number of days, such as `90d`. */
function days<R>(text: string, use: (milliseconds: number) => R): R | undefined {
  const count = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  return count === undefined ? undefined : use(Number(count) * DAY);
}
