import type { IntrospectionSource } from '../../src/services/index.ts';
import { DATABASE } from './change-feed.ts';
import type { State } from './state.ts';

export function createInMemoryIntrospectionSource(state: State): IntrospectionSource {
  return {
    async find(credential, id) {
      const token = state.tokens.get(id);
      return {
        service: [...state.services.values()].find(({ credentials }) =>
          credentials.some(({ hash }) => hash === credential),
        ),
        token: token && state.recordOf(token),
        database: DATABASE,
      };
    },
  };
}
