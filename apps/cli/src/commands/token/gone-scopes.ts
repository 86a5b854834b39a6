import type { Scope } from '@gatehouse/domain/access';
import type { AccountId } from '@gatehouse/domain/accounts';
import { scopeChoices } from '@gatehouse/domain/services';
import type { Token } from '@gatehouse/domain/tokens';
import type { Cli, Gatehouse } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';

/** Collects the scopes of printed tokens, and says which of them allow nothing. */
export function createGoneScopes(
  { catalog, operator }: Pick<Cli, 'catalog' | 'operator'>,
  { listServices }: Pick<Gatehouse, 'listServices'>,
) {
  /** By account: the scopes that are neither of Gatehouse nor of an installed extension. */
  const others = new Map<AccountId, Set<Scope>>();
  return {
    add({ accountId, scopes }: Pick<Token, 'accountId' | 'scopes'>): void {
      const unknown = scopes.filter((scope) => !catalog.scopeWords(scope));
      if (unknown.length > 0) others.set(accountId, new Set([...(others.get(accountId) ?? []), ...unknown]));
    },

    /** Returns a line with the scopes that allow nothing. Empty if there are no such scopes. */
    async notes(): Promise<readonly string[]> {
      // The services are read only if a token has a scope that one of them may have.
      if (others.size === 0) return [];
      const services = unwrap(await listServices(operator));
      const gone = [...others].flatMap(([accountId, scopes]) => {
        const { words } = scopeChoices(catalog, services, accountId);
        return [...scopes].filter((scope) => !words(scope));
      });
      if (gone.length === 0) return [];
      return [
        `These scopes allow nothing: ${[...new Set(gone)].sort().join(', ')}. Their extensions are not installed, or their services no longer have them or are not open to the account.`,
      ];
    },
  };
}
