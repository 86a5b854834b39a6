import type { ScopeChoices } from '@gatehouse/domain/services';
import { isAcceptedIn, TOKEN_STATES, type TokenOrder, type TokenSection } from '@gatehouse/domain/tokens';
import { type Fields, type Options, showFields } from '../../elements/form.ts';
import { button } from '../../elements/inline.ts';
import { ALL } from '../../elements/scope-list.ts';
import { searchForm } from '../../elements/search-form.ts';
import { STATES } from '../../elements/token-words.ts';
import { type Html, html } from '../../html.ts';
import { API_TOKENS } from '../../paths.ts';
import { FOLDED, type ListAddress, listPath, MAX_SEARCH_LENGTH, OVER_POLICY, REFUSED } from './address.ts';

const ORDERS: Readonly<Record<TokenOrder, string>> = {
  newest: 'Newest first',
  name: 'Name',
  expiry: 'Expires soonest',
  least_recently_used: 'Least recently used',
  most_recently_used: 'Most recently used',
};

/** The fields of the form, by the parameters of the address. `listFilters` adds more options to `scope` and `state`. */
const FIELDS = {
  search: {
    label: 'Search',
    placeholder: 'Token name, owner or IP address',
    type: 'search',
    maxLength: MAX_SEARCH_LENGTH,
  },
  order: { label: 'Order', type: 'select', options: ORDERS },
  state: { label: 'State', type: 'select', options: { '': 'Any state' } },
  scope: { label: 'Scope', type: 'select', options: { '': 'Any scope' } },
  owner: { label: 'Owner’s email' },
  unused_for: {
    label: 'Unused for',
    type: 'select',
    options: { '': 'Any time', '30d': '30 days', '90d': '90 days', '180d': '180 days', '365d': 'a year' },
  },
  expires: {
    label: 'Expires',
    type: 'select',
    options: {
      '': 'Any time or never',
      '7d': 'within 7 days',
      '14d': 'within 14 days',
      '30d': 'within 30 days',
      '90d': 'within 90 days',
      never: 'never',
    },
  },
} as const satisfies Fields;

/** Renders a form with the search, the order and the filters of the list. The form writes them into the address. */
export function listFilters(
  { own, services }: ScopeChoices,
  { section, values, isWhole }: ListAddress,
): Html {
  const field = showFields(FIELDS, { search: '', order: 'newest', owner: '', ...values });
  const filter = (name: 'state' | 'scope' | 'unused_for' | 'expires', further: Options = {}) => {
    const options = { ...FIELDS[name].options, ...further };
    return field(name, { options: withChosen(options, values[name] ?? '') });
  };
  const scopes = [...own, ...services.flatMap((service) => service.scopes)];
  const ofScopes = scopes.map((scope) => [scope, scope === '*' ? `${ALL} (*)` : scope]);
  return searchForm({
    action: API_TOKENS,
    hidden: section === 'ended' ? { section } : {},
    main: html`${field('search')}\n${field('order')}\n${button('Apply')}`,
    filters: html`${filter('state', statesOf(section))}
${filter('scope', Object.fromEntries(ofScopes))}
${field('owner')}
${section === 'active' ? html`${filter('unused_for')}\n${filter('expires')}` : null}`,
    count: FOLDED.filter((name) => values[name] !== undefined).length,
    ...(isWhole ? {} : { clear: listPath({ section }) }),
  });
}

function statesOf(section: TokenSection): Options {
  const states = TOKEN_STATES.filter((state) => isAcceptedIn(state) === (section === 'active'));
  const options = Object.fromEntries(states.map((state) => [state, STATES[state][1]]));
  return section === 'active'
    ? { ...options, [REFUSED]: 'Refused after the last use', [OVER_POLICY]: 'Breaks the token rules' }
    : options;
}

/** Adds the chosen value to the options if the form does not offer it. For example, an address can ask for 45 days. */
function withChosen(options: Options, chosen: string): Options {
  if (Object.hasOwn(options, chosen)) return options;
  return { ...options, [chosen]: chosen.replace(/^(\d+)d$/, '$1 days') };
}
