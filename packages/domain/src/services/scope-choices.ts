import type { NarrowScope, Scope } from '../access/rules.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ScopeWords } from '../resources/resource.ts';
import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import { everyScopeOf, isOpenTo, livingScopes, type Service } from './service.ts';

/** The scopes that an admin of an account can give to a token. */
export interface ScopeChoices {
  /** The scopes of Gatehouse's own API and of extensions; `*` is the first. */
  readonly own: readonly Scope[];
  /** The scopes of each service that is open to the account. The first scope of each is the one for all its scopes. */
  readonly services: readonly ServiceScopes[];
  /** Returns the words for a scope; undefined if a token with this scope gains nothing by it. */
  words(scope: Scope): ScopeWords | undefined;
  /**
   * Parses a list of scopes, sorts it and removes duplicates. Refuses an empty list and scopes that cannot be chosen.
   */
  parse(texts: readonly string[]): Result<readonly Scope[], InvalidInput>;
}

/** The scopes of one service for the choice of an admin. */
export interface ServiceScopes extends Pick<Service, 'name' | 'description'> {
  readonly scopes: readonly NarrowScope[];
}

/**
 * Returns the scopes that tokens of an account can have; without an account, those that tokens of any account can have.
 */
export function scopeChoices(
  catalog: Catalog,
  services: readonly Service[],
  accountId?: AccountId,
): ScopeChoices {
  const isOpen = (service: Service) =>
    accountId === undefined ? service.deletedAt === null : isOpenTo(service, accountId);
  const open = services.filter((service) => isOpen(service) && livingScopes(service).length > 0);
  const wordsOfServices: ReadonlyMap<string, ScopeWords> = new Map(open.flatMap(wordsOf));
  const words = (scope: Scope) => catalog.scopeWords(scope) ?? wordsOfServices.get(scope);
  return {
    own: catalog.scopes,
    services: open.map((service) => ({
      name: service.name,
      description: service.description,
      scopes: wordsOf(service).map(([scope]) => scope),
    })),
    words,
    parse(texts) {
      const scopes = [...new Set(texts)].sort() as Scope[];
      if (scopes.length > 0 && scopes.every((scope) => words(scope) !== undefined)) return ok(scopes);
      return invalid('scope', `must be one of ${[...catalog.scopes, ...wordsOfServices.keys()].join(', ')}`);
    },
  };
}

function wordsOf(service: Service): readonly (readonly [NarrowScope, ScopeWords])[] {
  const every: ScopeWords = {
    label: `Everything at ${service.name}`,
    allows: `All scopes of the service ${service.name}, those of today and those that are added later.`,
  };
  return [
    [everyScopeOf(service.name), every],
    ...livingScopes(service).map(({ name, label, allows }) => [name, { label, allows }] as const),
  ];
}
