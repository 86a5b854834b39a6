import { authorized, READ_TOKENS } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import { findReferenced } from '../administration/find-token-by-reference.ts';
import type { TokenStatus } from '../administration/token-status.ts';
import { tokenStatus } from '../administration/token-status.ts';
import type { AddressOfUse } from '../usage/token-usage.ts';
import { type ProposedNetworks, proposeNetworks } from './propose-networks.ts';

/** From where a token may be used, and from where it was used. */
export interface ShownTokenNetworks {
  readonly token: TokenStatus;
  readonly proposed: ProposedNetworks;
  /** The last addresses of use, newest first. */
  readonly usedFrom: readonly AddressOfUse[];
  /** The last addresses from which requests would be refused if the networks were enforced, newest first. */
  readonly reported: readonly AddressOfUse[];
}

/**
 * Shows the networks of the token with this id or name, and proposes networks from the addresses of its use.
 * `findTokenByReference` describes how a name is looked up.
 */
export const showTokenNetworks = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller, reference: string) => {
      const now = clock.now();
      const found = await findReferenced(tokens, caller, reference, now);
      if (!found.ok) return found;
      const { id } = found.value;
      const { usedFrom, reportedFrom: reported } = await tokens.findUsage(id);
      const token = tokenStatus(found.value, now);
      return ok<ShownTokenNetworks>({ token, proposed: proposeNetworks(usedFrom), usedFrom, reported });
    },
);
