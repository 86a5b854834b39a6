import type { Scope } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';
import { isAcceptedIn, TOKEN_STATES, type TokenOrder, type TokenSection } from '@gatehouse/domain/tokens';
import { button } from '../elements/button.ts';
import { input, type Options, select } from '../elements/field.ts';
import { searchForm } from '../elements/form.ts';
import { STATES } from '../elements/token-words.ts';
import { type Html, html } from '../html.ts';
import { API_TOKENS } from '../paths.ts';
import { type ListAddress, listPath, MAX_SEARCH_LENGTH, type Parameter, REFUSED } from './address.ts';

const ORDERS: Readonly<Record<TokenOrder, string>> = {
  newest: 'Newest first',
  name: 'Name',
  expiry: 'Expires soonest',
  least_recently_used: 'Least recently used',
  most_recently_used: 'Most recently used',
};

/** The search, the filters and the order, as a form that writes them into the address. */
export function listFilters({ scopes }: Catalog, address: ListAddress): Html {
  const { section, values } = address;
  const field = (name: Parameter, label: string, any: string, options: Options) => {
    const chosen = values[name] ?? '';
    return select({
      name,
      label,
      options: [{ value: '', label: any }, ...withChosen(options, chosen)],
      chosen,
    });
  };
  const ofActive = html`${field('unused_for', 'Unused for', 'Any time', UNUSED)}
${field('expires', 'Expires', 'Any time or never', EXPIRES)}`;
  const filters = html`${field('state', 'State', 'Any state', statesOf(section))}
${field('scope', 'Scope', 'Any scope', scopes.map(scopeOption))}
${input({ name: 'owner', label: 'Owner’s email', value: values.owner ?? '' })}
${section === 'active' ? ofActive : null}`;
  const count = FOLDED.filter((name) => values[name] !== undefined).length;
  return searchForm({
    action: API_TOKENS,
    hidden: section === 'ended' ? { section } : {},
    main: html`${input({
      name: 'search',
      label: 'Search',
      hint: 'How a token’s name, its owner’s name or email, or an address of its use begins',
      type: 'search',
      value: values.search ?? '',
      maxLength: MAX_SEARCH_LENGTH,
    })}
${select({ name: 'order', label: 'Order', options: ORDER_OPTIONS, chosen: values.order ?? 'newest' })}
${button('Apply')}`,
    filters,
    count,
    ...(address.isWhole ? {} : { clear: listPath({ section }) }),
  });
}

const FOLDED: readonly Parameter[] = ['state', 'scope', 'owner', 'unused_for', 'expires'];

const ORDER_OPTIONS: Options = Object.entries(ORDERS).map(([value, label]) => ({ value, label }));

const scopeOption = (scope: Scope) => ({ value: scope, label: scope === '*' ? 'All scopes (*)' : scope });

const UNUSED: Options = [
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '180d', label: '180 days' },
  { value: '365d', label: 'a year' },
];

const EXPIRES: Options = [
  { value: '7d', label: 'within 7 days' },
  { value: '14d', label: 'within 14 days' },
  { value: '30d', label: 'within 30 days' },
  { value: '90d', label: 'within 90 days' },
  { value: 'never', label: 'never' },
];

function statesOf(section: TokenSection): Options {
  const states = TOKEN_STATES.filter((state) => isAcceptedIn(state) === (section === 'active'));
  const options = states.map((state) => ({ value: state, label: STATES[state][1] }));
  return section === 'active'
    ? [...options, { value: REFUSED, label: 'Refused since its last use' }]
    : options;
}

/** An address can ask for a value that the form does not offer, such as 45 days. */
function withChosen(options: Options, chosen: string): Options {
  const isOffered = chosen === '' || options.some(({ value }) => value === chosen);
  return isOffered ? options : [...options, { value: chosen, label: chosen.replace(/^(\d+)d$/, '$1 days') }];
}
