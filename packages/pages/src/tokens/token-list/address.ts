import type { Scope } from '@gatehouse/domain/access';
import { parseDuration } from '@gatehouse/domain/time';
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
import { isSearchable, parametersOf } from '../../address.ts';
import { API_TOKENS, withQuery } from '../../paths.ts';

/** The maximum length of a search, in characters: the length of the longest token name. */
export const MAX_SEARCH_LENGTH = 200;

/** A value of the filter `state` besides the states of tokens: selects active tokens whose last request was refused. */
export const REFUSED = 'refused';

/** Another one: selects active tokens that break the rules of the account. */
export const OVER_POLICY = 'over_policy';

type Reader = (text: string) => Partial<ListAccountTokensInput> | undefined;

/**
 * For each parameter of the page's URL, the function that parses the text of the parameter. It returns undefined for a
 * value that the page does not know.
 */
const READERS = {
  section: (text) => given(oneOf(TOKEN_SECTIONS, text), (section) => ({ section })),
  search: (text) => (isSearchable(text, MAX_SEARCH_LENGTH) ? { search: text } : undefined),
  state: (text) => {
    if (text === REFUSED) return { refusedSinceUse: true, section: 'active' };
    if (text === OVER_POLICY) return { overPolicy: true, section: 'active' };
    return given(oneOf(TOKEN_STATES, text), (state) => ({
      state,
      section: isAcceptedIn(state) ? 'active' : 'ended',
    }));
  },
  scope: (text) => (isScope(text) ? { scope: text } : undefined),
  owner: (text) => (isSearchable(text, EMAIL_MAX_LENGTH) ? { creator: text } : undefined),
  unused_for: (text) => given(days(text), (unusedFor) => ({ unusedFor })),
  expires: (text) => {
    if (text === 'never') return { neverExpiring: true };
    return given(days(text), (expiringWithin) => ({ expiringWithin }));
  },
  order: (text) => given(oneOf(TOKEN_ORDERS, text), (order) => ({ order })),
} as const satisfies Record<string, Reader>;

export type Parameter = keyof typeof READERS;

const PARAMETERS = Object.keys(READERS) as readonly Parameter[];

/** The parameters that only the list of active tokens has. */
const OF_ACTIVE: ReadonlySet<Parameter> = new Set(['unused_for', 'expires']);

/** The parameters whose fields the form hides until the user opens `Filters`. */
export const FOLDED: readonly Parameter[] = ['state', 'scope', 'owner', 'unused_for', 'expires'];

export type Values = Readonly<Partial<Record<Parameter, string | undefined>>>;

export interface ListAddress {
  readonly section: TokenSection;
  /**
   * The texts of the parameters that the page knows, except the position at which the shown page of the list begins.
   */
  readonly values: Values;
  readonly input: ListAccountTokensInput;
  /** Whether the address has no search and no filter. */
  readonly isWhole: boolean;
  /** The parameters that the page ignores, such as `state=lost`. */
  readonly leftOut: readonly string[];
}

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
  const isWhole = ['search' as const, ...FOLDED].every((name) => values[name] === undefined);
  return { section, values: { ...values, section }, input, isWhole, leftOut };
}

/**
 * Writes the address of the list with these values, and leaves out default values. @param page the position at which
 * the page begins
 */
export function listPath({ section, order, ...values }: Values, page: Record<string, string> = {}): string {
  return withQuery(API_TOKENS, {
    section: section === 'ended' ? section : undefined,
    ...values,
    order: order === 'newest' ? undefined : order,
    ...page,
  });
}

/** Returns the values for a section of the list: the order, the search, and the filters that all sections have. */
export function valuesFor(section: TokenSection, { search, scope, owner, order }: Values): Values {
  return { section, search, scope, owner, order };
}

const oneOf = <const T extends string>(all: readonly T[], text: string) => all.find((each) => each === text);

function given<T, R>(value: T | undefined, use: (value: T) => R): R | undefined {
  return value === undefined ? undefined : use(value);
}

/**
 * Whether a text has the form of a scope. The scope need not exist, because tokens can have scopes of an extension or
 * a service that was removed.
 */
function isScope(text: string): text is Scope {
  return /^(\*|[a-z][a-z0-9-]{0,62}:(\*|[a-z][a-z0-9._-]{0,62}))$/.test(text);
}

/** Reads a number of days such as `90d`, at most 9999, and returns milliseconds. */
const days = (text: string) => (/^\d{1,4}d$/.test(text) ? parseDuration(text) : undefined);
