import { BUILT_IN, type Catalog, createCatalog } from '@gatehouse/domain/resources';

/** What events of the built-in resources can be about here, with words for a choice. */
const KINDS = { token: 'Tokens', user: 'Users', session: 'Sessions' };

const typesIn = ({ actions }: Catalog) => new Set(actions.map((action) => action.split('.')[0] ?? ''));

const BUILT_IN_TYPES = typesIn(createCatalog(BUILT_IN));

/** What events can be about, by the type of their subject: tokens, users and sessions, and all that extensions have. */
export function kindsOfEvents(catalog: Catalog): ReadonlyMap<string, string> {
  const ofExtensions = [...typesIn(catalog)].filter((type) => !BUILT_IN_TYPES.has(type));
  return new Map([...Object.entries(KINDS), ...ofExtensions.map((type) => [type, sentence(type)] as const)]);
}

/** Such as "Shift note" for `shift_note`. */
function sentence(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
