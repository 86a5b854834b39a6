import { err, ok } from '../../src/index.ts';
import { networkChangeProblem } from '../../src/token-policy/index.ts';
import { haveSameNetworks, networksProblem, type TokenNetworkRepository } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

export function createInMemoryTokenNetworkRepository(state: State): TokenNetworkRepository {
  return {
    async set(id, networks, at, audit) {
      const before = state.tokens.get(id);
      if (!before) return err({ code: 'token_not_found' });
      const after = { ...before, networks };
      const event = audit(before, after);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      const problem = networksProblem(before, at);
      if (problem) return err(problem);
      if (haveSameNetworks(before.networks, networks)) return ok({ before, after: before });
      const { rules, holder } = state.rulesFor(before);
      const lacking = networkChangeProblem(rules, holder, before, after);
      if (lacking) return err(lacking);
      state.tokens.set(id, after);
      state.outside.delete(id);
      state.events.push(event);
      return ok({ before, after });
    },
  };
}
