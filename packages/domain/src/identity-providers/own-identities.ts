import { authorized, type Principal, USE_OWN_SESSIONS } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { LinkedIdentity, SignInMeans } from './linked-identity.ts';
import type { Provider } from './provider.ts';

/** Returns the providers of the settings, for the buttons of the sign-in page. */
export function listProviders({ identityProviders }: Ports<'identityProviders'>) {
  return (): readonly Provider[] => identityProviders.all;
}

/** An identity of the caller, with the provider of the settings that has its issuer; undefined if none has. */
export interface OwnIdentity extends LinkedIdentity {
  readonly provider: Provider | undefined;
}

export interface OwnIdentities extends Omit<SignInMeans, 'identities'> {
  readonly identities: readonly OwnIdentity[];
  /** The providers that serve the caller's account and of whose issuer the caller has no identity. */
  readonly linkable: readonly Provider[];
}

/** Returns how the caller can sign in, and what else could be linked. A break-glass user cannot link anything. */
export const listOwnIdentities = authorized(
  USE_OWN_SESSIONS,
  ({ identities, identityProviders: { all } }: Ports<'identities' | 'identityProviders'>) =>
    async ({ userId, accountId }: Principal) => {
      const means = await identities.findMeans(userId);
      if (!means) return err({ code: 'user_not_found' });
      const issuers = new Set(means.identities.map(({ issuer }) => issuer));
      const serving = all.filter(({ accounts }) => accounts.includes(accountId));
      const linkable = serving.filter(({ issuer }) => !issuers.has(issuer));
      const own = means.identities.map((identity) => ({
        ...identity,
        provider: [...serving, ...all].find(({ issuer }) => issuer === identity.issuer),
      }));
      return ok<OwnIdentities>({
        ...means,
        identities: own,
        linkable: means.breakGlassAt === null ? linkable : [],
      });
    },
);

/**
 * Unlinks the caller's identity of an issuer, and ends the sessions that it opened. Refused if the caller has no
 * password. The caller stays confirmed only as long as before.
 */
export const unlinkOwnIdentity = authorized(
  USE_OWN_SESSIONS,
  ({ identities, clock }: Ports<'identities' | 'clock'>) =>
    async (caller: Principal, { issuer }: { readonly issuer: string }) => {
      const target = { userId: caller.userId, issuer, mayLackPassword: false };
      const unlinked = await identities.unlink(target, (user, { subject }) => {
        const details = { email: user.email, issuer, subject, reason: null };
        return eventBy(caller, eventOf(clock.now(), 'user.unlinked', user, details));
      });
      return unlinked.ok ? ok(undefined) : unlinked;
    },
);
