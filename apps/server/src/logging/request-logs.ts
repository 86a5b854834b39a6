import { createHmac, randomBytes } from 'node:crypto';
import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { SignInError } from '@gatehouse/domain/sign-in';
import { type Email, emailKey } from '@gatehouse/domain/users';
import type { Answer, HttpRequest, RefusalLog } from '@gatehouse/http';
import type { Recorded } from '@gatehouse/pages';
import type { Log } from './line-kind.ts';

/** Writes a line for each request. It has the route and not the path, which may contain anything. */
export function createAccessLog(log: Log) {
  return (request: HttpRequest, { status }: Answer): void => {
    const { caller } = request;
    log.info(
      {
        kind: 'request',
        request_id: request.id,
        method: request.method,
        route: request.route ?? null,
        status,
        duration_ms: Math.round(request.elapsedMs * 1000) / 1000,
        address: request.address,
        ...(caller?.kind === 'user' && { token_id: caller.token.id }),
        ...(caller?.kind === 'refused' && { refused: caller.reason }),
      },
      'request',
    );
  };
}

/** Logs each refusal. Names a known token by its id, and never logs a token itself. */
export function createRefusalLog(log: Log, refusals: { inc(reason: string): void }): RefusalLog {
  return (request, reason) => {
    const { caller } = request;
    refusals.inc(reason);
    log.info(
      {
        kind: 'refused',
        request_id: request.id,
        route: request.route ?? null,
        reason,
        address: request.address,
        ...(caller?.kind === 'user' && { token_id: caller.token.id, user_id: caller.userId }),
      },
      'refused',
    );
  };
}

/** The outcome of a sign-in; `unavailable` and `failed` if it is not known. */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

export interface SignInOutcomePorts {
  readonly log: Log;
  readonly signIns: { inc(outcome: SignInOutcome): void };
}

/**
 * Creates the wrapper that counts and logs how sign-ins of the API and of pages end. An email is logged only if it belongs
 * to a user. A tag of each email is logged as well: it is the same in all lines of this process, and its key is only in
 * memory.
 */
export function createRecorded({ log, signIns }: SignInOutcomePorts): Recorded {
  const tagKey = randomBytes(32);
  return (signIn) => async (request, credentials) => {
    const { address } = request;
    let known: Email | null = null;
    const onUser = (user: Email) => {
      known = user;
    };
    const attempt = { ...credentials, address, onUser } as Parameters<typeof signIn>[0];
    const note = (outcome: SignInOutcome) => {
      signIns.inc(outcome);
      log.info(
        {
          kind: 'sign_in',
          request_id: request.id,
          outcome,
          // A text that is no user's email may be a password that was typed into the wrong field, so it is not logged.
          email: known,
          email_tag: createHmac('sha256', tagKey).update(emailKey(attempt.email)).digest('hex').slice(0, 12),
          address,
        },
        'sign-in',
      );
    };
    const signedIn = await signIn(attempt).catch((fault) => {
      note(fault instanceof UnavailableFault || fault instanceof SetupFault ? 'unavailable' : 'failed');
      throw fault;
    });
    note(signedIn.ok ? 'accepted' : signedIn.error.code);
    return signedIn;
  };
}
