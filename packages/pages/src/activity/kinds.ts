import { BUILT_IN, type Catalog, createCatalog } from '@gatehouse/domain/resources';

/** The types of resources whose changes the page can show, with their labels in the filter. */
export type Kinds = ReadonlyMap<string, string>;

/** The labels of built-in types. Every other type has its own name as its label. */
const LABELS: Readonly<Record<string, string>> = {
  token: 'Tokens',
  user: 'Users',
  invitation: 'Invitations',
  session: 'Sessions',
  organization: 'Organizations',
  account: 'Account',
  webhook: 'Webhooks',
  policy: 'Rules',
};

/** The types of resources that belong to no account. */
const OF_NO_ACCOUNT: ReadonlySet<string> = new Set([
  'audit',
  'extension',
  'floor',
  'key',
  'reaction',
  'service',
]);

const typesIn = ({ actions }: Pick<Catalog, 'actions'>) =>
  actions.map((action) => action.split('.')[0] ?? '');

/**
 * Returns the labels of all types of resources in the filter: of the built-in types and of the types that extensions
 * add.
 */
export function kindsOfEvents(catalog: Catalog): Kinds {
  const builtIn = new Set(typesIn(createCatalog(BUILT_IN)));
  const own = [...new Set([...Object.keys(LABELS), ...builtIn])].filter((type) => !OF_NO_ACCOUNT.has(type));
  const ofExtensions = typesIn(catalog).filter((type) => !builtIn.has(type));
  return new Map([...own, ...ofExtensions].map((type) => [type, LABELS[type] ?? inWords(type)] as const));
}

/** Returns a name as a label, such as `Shift note` for `shift_note`. */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
