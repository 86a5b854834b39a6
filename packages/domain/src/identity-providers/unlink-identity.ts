import { authorized, MANAGE_USERS } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { checkText } from '../text.ts';
import { findPerson } from '../users/named-user.ts';
import { type ProviderId, parseProviderId } from './provider.ts';

export interface UnlinkIdentitiesInput {
  readonly email: string;
  /** The provider whose identity is unlinked; undefined for all identities. */
  readonly provider?: string | undefined;
  readonly reason: string;
}

/**
 * Unlinks identities of a user, as an operator decides: one who left and came back has another subject at the provider.
 * The user need not have a password.
 */
export const unlinkIdentities = authorized(
  MANAGE_USERS,
  ({
    users,
    identities,
    identityProviders,
    clock,
  }: Ports<'users' | 'identities' | 'identityProviders' | 'clock'>) =>
    async (caller, { email, provider, reason }: UnlinkIdentitiesInput) => {
      const checked = checkText('reason', reason, 500);
      if (!checked.ok) return checked;
      const found = await findPerson(users, caller, { email });
      if (!found.ok) return found;
      const id: ProviderId | undefined = provider === undefined ? undefined : parseProviderId(provider);
      const issuer = identityProviders.all.find((each) => each.id === id)?.issuer;
      if (provider !== undefined && issuer === undefined) return err({ code: 'provider_not_found' });
      const target = { userId: found.value.id, issuer, mayLackPassword: true };
      const unlinked = await identities.unlink(target, (user, { issuer: of, subject }) => {
        const details = { email: user.email, issuer: of, subject, reason };
        return eventBy(caller, eventOf(clock.now(), 'user.unlinked', user, details));
      });
      return unlinked.ok ? ok({ user: found.value, unlinked: unlinked.value }) : unlinked;
    },
);
