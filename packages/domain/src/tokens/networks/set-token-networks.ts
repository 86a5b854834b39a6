import { authorized, type Principal, UPDATE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import { refuseWhileOlder } from '../../editions/refuse-while-older.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import { findToken } from '../administration/find-token-by-reference.ts';
import type { TokenId } from '../token.ts';
import { tokenNetworksSet } from '../token-events.ts';
import { type NetworksInput, parseTokenNetworks } from './token-networks.ts';

export interface SetTokenNetworksInput {
  readonly id: TokenId;
  /** Null removes the networks, so that the token may be used from everywhere. */
  readonly networks: NetworksInput | null;
}

/**
 * Sets the networks from which an API token of the caller's account may be used, or removes them. Networks are not set
 * while a program of an older edition would accept the token from elsewhere; they can always be removed. Returns the
 * token before and after the change.
 */
export const setTokenNetworks = authorized(
  UPDATE_TOKENS,
  (ports: Ports<'tokens' | 'tokenNetworks' | 'editions' | 'clock'>) =>
    async (caller: Principal, { id, networks: input }: SetTokenNetworksInput) => {
      const found = await findToken(ports.tokens, caller, UPDATE_TOKENS, id);
      if (!found.ok) return found;
      const networks = input === null ? ok(null) : parseTokenNetworks(input);
      if (!networks.ok) return networks;
      const known = networks.value === null ? ok(undefined) : await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const now = ports.clock.now();
      return ports.tokenNetworks.set(id, networks.value, now, (before, after) =>
        eventBy(caller, tokenNetworksSet(before, after, now)),
      );
    },
);
