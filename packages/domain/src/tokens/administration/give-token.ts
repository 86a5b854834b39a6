import { authorized, GIVE_TOKENS, type Principal } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { findNamed, type NamedUser } from '../../users/named-user.ts';
import type { User } from '../../users/user.ts';
import type { TokenId } from '../token.ts';
import { tokenTransferred } from '../token-events.ts';
import { findToken } from './find-token-by-reference.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

export interface GiveTokenInput {
  readonly id: TokenId;
  /** The service account or the admin who becomes the owner. */
  readonly to: NamedUser;
}

/** A token with its former and its new owner. */
export interface GivenToken {
  readonly token: TokenStatus;
  readonly from: User;
  readonly to: User;
}

/**
 * Makes a service account or another admin the owner of an API token. The token keeps its secret, its name and its
 * subject, and has the rights of the new owner from then on. The rules of the account for the new owner are not asked:
 * the lists of tokens name a token that breaks them.
 */
export const giveToken = authorized(
  GIVE_TOKENS,
  ({ tokens, users, clock }: Ports<'tokens' | 'users' | 'clock'>) =>
    async (caller: Principal, { id, to: named }: GiveTokenInput) => {
      const found = await findToken(tokens, caller, GIVE_TOKENS, id);
      if (!found.ok) return found;
      const to = await findNamed(users, caller, named);
      if (!to.ok) return err({ code: 'transfer_target_not_fit' });
      const at = clock.now();
      const given = await tokens.give(id, to.value.id, at, (before) =>
        eventBy(caller, tokenTransferred(before, { at, to: to.value.id, name: before.name })),
      );
      if (!given.ok) return given;
      const { before, after } = given.value;
      return ok<GivenToken>({ token: tokenStatus(after, at), from: before.user, to: after.user });
    },
);
