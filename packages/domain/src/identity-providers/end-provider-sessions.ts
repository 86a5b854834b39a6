import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { sessionEnded } from '../sessions/session-events.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { ProviderId } from './provider.ts';
import { providerActor } from './provider-events.ts';
import { type ProviderSignInRefused, refusedSignIn } from './refused-sign-in.ts';

export interface EndProviderSessionsInput {
  readonly provider: ProviderId;
  /** The log-out token, which the provider posted. */
  readonly logOutToken: string;
  /** The provider's IP address. */
  readonly address: string;
}

/** `iat` of a log-out token is in whole seconds, so a session of the same second may be older than the token. */
const SECOND_MS = 1000;

/**
 * Ends the sessions that a provider opened and now ends (OpenID Connect Back-Channel Logout 1.0), with an event for
 * each. Only sessions that were opened before the log-out token was made end, so that a token that is sent again does
 * not end a newer session. API tokens keep working.
 */
export function endProviderSessions(
  ports: Ports<'clock' | 'identityProviders' | 'sessions' | 'sessionTimes'>,
) {
  return async ({
    provider: id,
    logOutToken,
    address: origin,
  }: EndProviderSessionsInput): Promise<Result<{ readonly ended: number }, ProviderSignInRefused>> => {
    const provider = ports.identityProviders.all.find((each) => each.id === id);
    if (!provider) return err(refusedSignIn('provider_unknown'));
    const read = await ports.identityProviders.readLogOut(id, logOutToken);
    if (!read.ok) return err(refusedSignIn(read.error.reason, { detail: read.error.detail }));
    const { issuer, subject, providerSession, issuedAt } = read.value;
    if (issuer !== provider.issuer) return err(refusedSignIn('issuer_mismatch'));
    if (subject === null && providerSession === null) return err(refusedSignIn('answer_malformed'));
    const at = ports.clock.now();
    const ended = await ports.sessions.endOfProvider(
      { provider: id, issuer, subject, providerSession, openedBefore: addMilliseconds(issuedAt, SECOND_MS) },
      (session, { accountId }) => ({
        ...sessionEnded(session.id, { accountId }, at, 'the identity provider ended the session'),
        actor: providerActor(id),
        origin,
      }),
    );
    return ok({ ended });
  };
}
