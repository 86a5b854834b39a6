import { eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { ok, type Result } from '../result.ts';
import { attemptOf, type TooManyAttempts } from '../sign-in/sign-in-throttle.ts';
import { addMilliseconds } from '../time/instant.ts';
import { emailKey } from '../users/email.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import { RESET_LINK_MS, type ResetLinkId } from './reset-link.ts';

/** A link is made for an address at most once in this time, in milliseconds. */
export const REQUEST_PAUSE_MS = 5 * 60_000;

export interface PasswordResetRequest {
  /** The address as the person typed it. */
  readonly email: string;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * Lets the user with this address have a link that sets a new password. Only the reaction `mail` makes a code for it. The
 * answer is the same for every address. A request waits and counts like an attempt to sign in, as one of a user of its
 * own: it delays no user's sign-ins.
 */
export function requestPasswordReset({
  resetLinks,
  linkCodes,
  signInGate,
  throttle,
  clock,
}: Ports<'resetLinks' | 'linkCodes' | 'signInGate' | 'throttle' | 'clock'>) {
  return async ({
    email,
    address,
  }: PasswordResetRequest): Promise<Result<void, TooManyAttempts | HashingBusy>> => {
    const attempt = attemptOf(`${emailKey(email).slice(0, 200)}.forgotten.invalid`, address);
    const entered = await signInGate.enter(attempt);
    if (!entered.ok) return entered;
    using _ = entered.value;
    const admitted = await throttle.admit(attempt);
    if (!admitted.ok) return admitted;
    const at = clock.now();
    await resetLinks.request({ email, at, pauseMs: REQUEST_PAUSE_MS }, (user) => {
      const { id, code } = linkCodes.create('reset');
      const link = {
        id: id as ResetLinkId,
        userId: user.id,
        createdAt: at,
        expiresAt: addMilliseconds(at, RESET_LINK_MS),
        madeBy: null,
        isMailed: true,
        isRequested: true,
        codeHash: linkCodes.hashOf(code),
      };
      // No one knows who asked, so the event names no user as its actor.
      const asked = eventOf(at, 'user.reset_requested', user, { email: user.email });
      return { link, event: { ...asked, actor: { kind: 'system' }, origin: address } };
    });
    return ok(undefined);
  };
}

/** Forgets addresses for which a link was asked too long ago to matter. */
export function sweepResetRequests({ resetLinks, clock }: Ports<'resetLinks' | 'clock'>) {
  return async (): Promise<{ readonly more: boolean }> => {
    const limit = 1000;
    const before = addMilliseconds(clock.now(), -REQUEST_PAUSE_MS);
    return { more: (await resetLinks.forgetRequests({ before, limit })) === limit };
  };
}
