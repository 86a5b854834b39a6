import type { IntrospectedRecords, IntrospectionSource } from '../../src/services/index.ts';
import type { CredentialHash } from '../../src/services/service-credential.ts';
import type { TokenRecord } from '../../src/tokens/index.ts';
import { DATABASE } from './change-feed.ts';
import type { State } from './state.ts';

export function createInMemoryIntrospectionSource(state: State): IntrospectionSource {
  function holderOf(hash: CredentialHash) {
    for (const service of state.services.values()) {
      const credential = service.credentials.find((each) => each.hash === hash);
      if (credential) return { service, credential };
    }
    return undefined;
  }

  function recordsFor(hash: CredentialHash, tokens: readonly TokenRecord[]): IntrospectedRecords {
    const holder = holderOf(hash);
    if (!holder) return { service: undefined, tokens, database: DATABASE };
    const { name, deletedAt, openTo, scopes } = holder.service;
    const accounts = new Set(tokens.map(({ accountId }) => accountId));
    const service = {
      name,
      deletedAt,
      openTo: openTo === 'all' ? openTo : openTo.filter((id) => accounts.has(id)),
      scopes: scopes.map(({ name, removedAt }) => ({ name, removedAt })),
      credentials: [holder.credential] as const,
    };
    return { service, tokens, database: DATABASE };
  }

  const recordOf = (id: TokenRecord['id']) => {
    const token = state.tokens.get(id);
    return token ? [state.recordOf(token)] : [];
  };

  return {
    find: async (credential, id) => recordsFor(credential, recordOf(id)),
    async findUsed(credential, ids) {
      const service = holderOf(credential)?.service.name;
      const isUsed = (id: TokenRecord['id']) =>
        state.usageOf(id).usedAt.some((use) => use.service === service);
      return recordsFor(credential, [...new Set(ids)].filter(isUsed).flatMap(recordOf));
    },
  };
}
