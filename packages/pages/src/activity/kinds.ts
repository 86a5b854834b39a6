import { BUILT_IN, type Catalog, createCatalog } from '@gatehouse/domain/resources';

/** The subjects of events of the built-in resources, with their labels in the filter. */
const KINDS = { token: 'Tokens', user: 'Users', session: 'Sessions' };

const typesIn = ({ actions }: Catalog) => new Set(actions.map((action) => action.split('.')[0] ?? ''));

const BUILT_IN_TYPES = typesIn(createCatalog(BUILT_IN));

/** Returns the label of each type of subject: those of Gatehouse, and those of extensions. */
export function kindsOfEvents(catalog: Catalog): ReadonlyMap<string, string> {
  const ofExtensions = [...typesIn(catalog)].filter((type) => !BUILT_IN_TYPES.has(type));
  return new Map([...Object.entries(KINDS), ...ofExtensions.map((type) => [type, sentence(type)] as const)]);
}

/** Such as "Shift note" for `shift_note`. */
function sentence(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
