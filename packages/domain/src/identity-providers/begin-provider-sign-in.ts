import { parseLinkCode } from '../links/link-code.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { isPasswordFresh, type Session } from '../sessions/session.ts';
import { attemptOf, type SignInAttempt, type TooManyAttempts } from '../sign-in/sign-in-throttle.ts';
import { isStorable } from '../text.ts';
import type { Instant } from '../time/instant.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import { type AttemptHash, type AttemptPurpose, type AttemptSecret, parseAttemptSecret } from './attempt.ts';
import type { ProviderId } from './provider.ts';
import { type ProviderSignInRefused, refusedSignIn } from './refused-sign-in.ts';

export type BeginProviderSignInPorts = Ports<
  | 'attempts'
  | 'attemptSecrets'
  | 'clock'
  | 'identityProviders'
  | 'invitations'
  | 'linkCodes'
  | 'signInGate'
  | 'throttle'
>;

/** The purpose of an attempt, as a page names it. */
export type BegunPurpose =
  | { readonly kind: 'sign-in' }
  /** The session whose user links an identity, or proves again who they are. */
  | { readonly kind: 'link' | 'confirm'; readonly session: Session }
  /** The code as the person pasted it. */
  | { readonly kind: 'invitation'; readonly code: string };

export interface BeginProviderSignInInput {
  readonly provider: ProviderId;
  readonly purpose: BegunPurpose;
  /** The value of the browser's attempt cookie, if it has one. */
  readonly browser: string | undefined;
  /** The page that follows; null for none. Pages check it again before they lead there. */
  readonly next: string | null;
  /** The address to which the provider sends the browser back. */
  readonly redirectUri: string;
  /** The client's IP address. */
  readonly address: string;
}

export interface BegunProviderSignIn {
  /** The address at the provider to which the browser goes. */
  readonly location: string;
  /** The value of the attempt cookie, new or as it was. */
  readonly browser: AttemptSecret;
}

export type ProviderSignInError = ProviderSignInRefused | TooManyAttempts | HashingBusy;

/**
 * Begins a sign-in with a provider. It waits in the queue of sign-ins and counts toward the limit of its address, but it
 * counts as the attempt of a user of its own, so that it delays no user. Stores the attempt before the provider is
 * asked, so that any server can complete it.
 *
 * A link needs a password or a confirmation that was given recently: otherwise a stolen session would become a lasting
 * way to sign in.
 */
export function beginProviderSignIn(ports: BeginProviderSignInPorts) {
  const { attempts, attemptSecrets, identityProviders, signInGate, throttle } = ports;
  return async (
    input: BeginProviderSignInInput,
  ): Promise<Result<BegunProviderSignIn, ProviderSignInError>> => {
    const { redirectUri } = input;
    const next = bounded(input.next);
    const kind = input.purpose.kind;
    const refuse = (reason: Parameters<typeof refusedSignIn>[0], detail: string | null = null) =>
      err(refusedSignIn(reason, { detail, purpose: kind, next }));

    const provider = identityProviders.all.find(({ id }) => id === input.provider)?.id;
    if (provider === undefined) return refuse('provider_unknown');
    const state = attemptSecrets.createState();
    const stateHash = attemptSecrets.hashOf(state);
    const attempt = providerAttempt(stateHash, input.address);
    const admitted = await admit({ signInGate, throttle }, attempt);
    if (!admitted.ok) return admitted;

    const now = ports.clock.now();
    const purpose = await storedPurpose(ports, input.purpose, now);
    if (!purpose) return refuse(kind === 'invitation' ? 'invitation_not_accepted' : 'confirmation_needed');
    const browser = parseAttemptSecret(input.browser ?? '') ?? attemptSecrets.createSecret();
    const browserHash = attemptSecrets.hashOf(browser);
    await attempts.insert({ stateHash, browserHash, provider, purpose, next, createdAt: now });
    const binding = { state, redirectUri, ...attemptSecrets.derive(browser, state) };
    const location = await identityProviders.begin(provider, {
      ...binding,
      mustAuthenticate: kind === 'confirm',
      begunAt: now,
    });
    if (location.ok) return ok({ location: location.value, browser });
    // Otherwise a provider that is away would use up the attempts of a whole office, also those with a password.
    await attempts.take(stateHash);
    await throttle.release(attempt);
    return refuse(location.error.reason, location.error.detail);
  };
}

/** The longest stored `next`. Paths of pages are shorter. */
const MAX_NEXT = 2000;

const bounded = (next: string | null) =>
  next !== null && next.length <= MAX_NEXT && isStorable(next) ? next : null;

/** The attempt as the limits on sign-ins count it. */
export const providerAttempt = (stateHash: AttemptHash, address: string) =>
  attemptOf(`${stateHash}@provider.invalid`, address);

/** Gives the place in the queue back before the provider is asked: one that is slow must not delay passwords. */
async function admit(
  { signInGate, throttle }: Ports<'signInGate' | 'throttle'>,
  attempt: SignInAttempt,
): Promise<Result<void, TooManyAttempts | HashingBusy>> {
  const entered = await signInGate.enter(attempt);
  if (!entered.ok) return entered;
  using _ = entered.value;
  return throttle.admit(attempt);
}

/** Returns what is stored of the purpose; undefined if the caller may not begin it. */
async function storedPurpose(
  { invitations, linkCodes }: Ports<'invitations' | 'linkCodes'>,
  purpose: BegunPurpose,
  now: Instant,
): Promise<AttemptPurpose | undefined> {
  if (purpose.kind === 'sign-in') return purpose;
  if (purpose.kind === 'invitation') {
    const code = parseLinkCode('invitation', purpose.code);
    const codeHash = code && linkCodes.hashOf(code);
    return codeHash && (await invitations.findByCode(codeHash, now))
      ? { kind: 'invitation', codeHash }
      : undefined;
  }
  const { kind, session } = purpose;
  if (kind === 'link' && !isPasswordFresh(session, now)) return undefined;
  return { kind, userId: session.userId, sessionId: session.id };
}
