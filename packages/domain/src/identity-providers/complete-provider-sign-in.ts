import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { liveSince, MAX_LIVE_SESSIONS, type Session, type SessionId } from '../sessions/session.ts';
import {
  parseSessionSecret,
  type SecretRenewal,
  type SessionFormKey,
  type SessionSecret,
} from '../sessions/session-secrets.ts';
import { storableUserAgent } from '../sessions/store-session.ts';
import type { SignInAttempt, TooManyAttempts } from '../sign-in/sign-in-throttle.ts';
import { isStorable } from '../text.ts';
import type { Instant } from '../time/instant.ts';
import type { HashingBusy, PasswordHash } from '../users/password-hasher.ts';
import type { User } from '../users/user.ts';
import { ATTEMPT_MS, type Attempt, parseAttemptSecret, parseAttemptState } from './attempt.ts';
import { type ProviderSignInError, providerAttempt } from './begin-provider-sign-in.ts';
import { providedEmail } from './email-domain.ts';
import type { AttemptBinding, Query } from './identity-providers.ts';
import type { Decision, PersonFacts } from './person-facts.ts';
import type { ProvenPerson } from './proven-person.ts';
import type { Provider, ProviderId } from './provider.ts';
import { settlementAudit } from './provider-events.ts';
import { type ProviderSignInRefused, refusedSignIn } from './refused-sign-in.ts';
import { mayConfirm, mayLink, whoJoins, whoSignsIn } from './who-signs-in.ts';

export type CompleteProviderSignInPorts = Ports<
  | 'attempts'
  | 'attemptSecrets'
  | 'clock'
  | 'identities'
  | 'identityProviders'
  | 'passwords'
  | 'sessionSecrets'
  | 'sessionTimes'
  | 'signInGate'
  | 'throttle'
>;

export interface CompleteProviderSignInInput {
  readonly provider: ProviderId;
  /** The query with which the provider sent the browser back. */
  readonly query: Query;
  /** The value of the browser's attempt cookie, if it has one. */
  readonly browser: string | undefined;
  /** The session of the browser, if it has one. A link and a confirmation need the one in which they began. */
  readonly session: { readonly id: SessionId; readonly secret: string } | undefined;
  readonly redirectUri: string;
  /** The client's IP address. */
  readonly address: string;
  /** The browser's `User-Agent`, of any length. */
  readonly userAgent: string | null;
}

export type CompletedProviderSignIn = {
  readonly user: User;
  readonly next: string | null;
} & (
  | {
      /** `joined`: the person became a user. */
      readonly did: 'signed-in' | 'joined';
      /** The value of the session cookie. */
      readonly secret: SessionSecret;
      readonly session: Session;
      readonly formKey: SessionFormKey;
    }
  | { readonly did: 'linked' }
  /** `secret`: the new value of the session cookie. */
  | { readonly did: 'confirmed'; readonly secret: SessionSecret }
);

const DECIDERS: Readonly<
  Record<
    Attempt['purpose']['kind'],
    (provider: Provider, person: ProvenPerson, facts: PersonFacts) => Decision
  >
> = { 'sign-in': whoSignsIn, link: mayLink, confirm: mayConfirm, invitation: whoJoins };

/**
 * Completes a sign-in with a provider, on any server. The attempt is used up before the provider is asked, so that the
 * same answer cannot be sent twice. A browser completes only its own attempts: otherwise an attacker could sign another
 * person in as the attacker.
 */
export function completeProviderSignIn(ports: CompleteProviderSignInPorts) {
  return async (
    input: CompleteProviderSignInInput,
  ): Promise<Result<CompletedProviderSignIn, ProviderSignInError>> => {
    const query = [...input.query];
    const provider = ports.identityProviders.all.find(({ id }) => id === input.provider);
    if (!provider) return err(refusedSignIn('provider_unknown'));
    const taken = await takeAttempt(ports, input, query);
    if (!taken.ok) return taken;
    const { attempt, binding } = taken.value;
    const { next } = attempt;
    const known = { purpose: attempt.purpose.kind, next };

    const mustAuthenticate = attempt.purpose.kind === 'confirm';
    const redeemed = await ports.identityProviders.redeem(provider.id, query, {
      ...binding,
      mustAuthenticate,
      begunAt: attempt.createdAt,
    });
    if (!redeemed.ok) {
      const { reason, detail } = redeemed.error;
      if (reason === 'provider_unreachable')
        await ports.throttle.release(providerAttempt(attempt.stateHash, input.address));
      return err(refusedSignIn(reason, { detail, ...known }));
    }
    const malformed = problemOf(provider, redeemed.value);
    if (malformed) return err(refusedSignIn(malformed, known));
    const settled = await settle(ports, input, provider, attempt, redeemed.value);
    if (!settled.ok) {
      const { error } = settled;
      return err(error.code === 'provider_sign_in_refused' ? { ...error, ...known } : error);
    }
    await ports.throttle.release(providerAttempt(attempt.stateHash, input.address));
    return ok({ ...settled.value, next });
  };
}

/** Checks once more what is stored. The adapter has verified the ID token, but a text in it may be any text. */
function problemOf(
  { issuer }: Provider,
  { issuer: named, subject, providerSession }: ProvenPerson,
): 'issuer_mismatch' | 'answer_malformed' | undefined {
  if (named !== issuer) return 'issuer_mismatch';
  // OpenID Connect Core 1.0 section 2 bounds the subject, and nothing the session.
  const isBounded =
    /^[\x20-\x7e]{1,255}$/.test(subject) && (providerSession ?? '').length <= MAX_SESSION_NAME;
  return isBounded && isStorable(providerSession ?? '') ? undefined : 'answer_malformed';
}

const MAX_SESSION_NAME = 1000;

async function takeAttempt(
  { attempts, attemptSecrets, clock }: CompleteProviderSignInPorts,
  { provider, browser, session, redirectUri }: CompleteProviderSignInInput,
  query: readonly (readonly [string, string])[],
): Promise<Result<{ readonly attempt: Attempt; readonly binding: AttemptBinding }, ProviderSignInRefused>> {
  const states = query.filter(([name]) => name === 'state').map(([, value]) => value);
  const state = states.length === 1 ? parseAttemptState(states[0] ?? '') : undefined;
  const attempt = state && (await attempts.take(attemptSecrets.hashOf(state)));
  if (!attempt || clock.now() - attempt.createdAt >= ATTEMPT_MS) return err(refusedSignIn('attempt_unknown'));
  const known = { purpose: attempt.purpose.kind, next: attempt.next };
  const secret = parseAttemptSecret(browser ?? '');
  if (!secret || attemptSecrets.hashOf(secret) !== attempt.browserHash)
    return err(refusedSignIn('attempt_of_other_browser'));
  if (attempt.provider !== provider) return err(refusedSignIn('attempt_of_other_provider', known));
  if ('sessionId' in attempt.purpose && attempt.purpose.sessionId !== session?.id)
    return err(refusedSignIn('attempt_of_other_browser', known));
  return ok({ attempt, binding: { state, redirectUri, ...attemptSecrets.derive(secret, state) } });
}

async function settle(
  ports: CompleteProviderSignInPorts,
  { session: current, address: origin, userAgent }: CompleteProviderSignInInput,
  provider: Provider,
  { purpose, stateHash }: Attempt,
  person: ProvenPerson,
): Promise<Result<WithoutNext, ProviderSignInError>> {
  const { sessionSecrets, sessionTimes, identities } = ports;
  const counted = providerAttempt(stateHash, origin);
  const unknownPassword = await passwordOfNewUser(ports, provider, purpose, person, counted);
  if (unknownPassword && !unknownPassword.ok) return unknownPassword;

  const at = ports.clock.now();
  const { id, secret, formKey } = sessionSecrets.create();
  const { issuer, subject, providerSession } = person;
  const opened = {
    id,
    createdAt: at,
    lastSeenAt: at,
    passwordGivenAt: authenticationTime(person, at),
    origin,
    userAgent: userAgent ? storableUserAgent(userAgent) : null,
    provider: { provider: provider.id, issuer, subject, providerSession },
  };
  const renewed = sessionSecrets.createSecret();
  const from = purpose.kind === 'confirm' ? parseSessionSecret(current?.secret ?? '') : undefined;
  const renewal: SecretRenewal | undefined = from && {
    from: sessionSecrets.hashOf(from),
    to: sessionSecrets.hashOf(renewed),
  };
  const settled = await identities.settle(
    {
      // A text that is no address finds no user and is not stored.
      person: { issuer, subject, email: providedEmail(person.email) ?? null },
      purpose,
      at,
      session: { ...opened, secretHash: sessionSecrets.hashOf(secret), formKey },
      bound: { keep: MAX_LIVE_SESSIONS, ...liveSince(at, sessionTimes) },
      renewal,
      newUsersIn: purpose.kind === 'sign-in' ? provider.createUsersIn : null,
      unknownPassword: unknownPassword?.value,
    },
    (facts) => DECIDERS[purpose.kind](provider, person, facts),
    settlementAudit({ provider: provider.id, identity: { issuer, subject }, session: opened, at, origin }),
  );
  if (settled.outcome === 'refused') return err(refusedSignIn(settled.reason));
  const { user, isNew } = settled;
  if (purpose.kind === 'link') return ok({ did: 'linked', user });
  if (purpose.kind === 'confirm') return ok({ did: 'confirmed', user, secret: renewed });
  const session = { ...opened, userId: user.id };
  return ok({ did: isNew ? 'joined' : 'signed-in', user, session, secret, formKey });
}

/**
 * When the person proved who they are. A provider that still knows the person asks for nothing, so a sign-in would
 * otherwise stand for the confirmation that tokens need. One that does not say when is believed to have asked now.
 */
function authenticationTime({ authenticatedAt }: ProvenPerson, at: Instant): Instant {
  return authenticatedAt !== null && authenticatedAt < at ? authenticatedAt : at;
}

type WithoutNext = CompletedProviderSignIn extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'next'>
    : never
  : never;

/**
 * Hashes a random password that is never shown, if the person may become a user. Older servers know no user without a
 * password. It waits in the queue of sign-ins, in which networks take turns: the queue of the hasher knows no networks.
 */
async function passwordOfNewUser(
  { identities, passwords, attemptSecrets, signInGate }: CompleteProviderSignInPorts,
  { createUsersIn }: Provider,
  { kind }: Attempt['purpose'],
  person: ProvenPerson,
  counted: SignInAttempt,
): Promise<Result<PasswordHash, TooManyAttempts | HashingBusy> | undefined> {
  const mayBeNew = kind === 'invitation' || (kind === 'sign-in' && createUsersIn !== null);
  if (!mayBeNew || (await identities.findUser(person)) !== undefined) return undefined;
  const entered = await signInGate.enter(counted);
  if (!entered.ok) return entered;
  using _ = entered.value;
  return passwords.hash(attemptSecrets.createState());
}
