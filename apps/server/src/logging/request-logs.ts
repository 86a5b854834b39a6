import { createHmac, randomBytes } from 'node:crypto';
import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { SignInError } from '@gatehouse/domain/sign-in';
import { type Email, emailKey } from '@gatehouse/domain/users';
import type { Answer, HttpRequest, RefusalLog } from '@gatehouse/http';
import type { Recorded } from '@gatehouse/pages';
import type { Log } from './line-kind.ts';

/**
 * Writes a log line for each answered request. The line has the route and not the path, because clients can put any
 * text into a path.
 */
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
      'a request was answered',
    );
  };
}

/**
 * Logs and counts each request whose token or access was refused. A known token is logged by its id, never by its text.
 */
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
      'a request with a token was refused',
    );
  };
}

/**
 * The outcome of a sign-in. `unavailable`: something that the sign-in needs, such as the database, did not work.
 * `failed`: a bug.
 */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

export interface SignInOutcomePorts {
  readonly log: Log;
  readonly signIns: { inc(outcome: SignInOutcome): void };
}

/**
 * Creates a wrapper for sign-ins by the API and by pages, which counts and logs their outcomes. The email is logged
 * only if it belongs to a user. For every email a tag is logged: a keyed hash that is the same in all lines of this
 * process. The key of the hash is only in memory.
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
          // An email that belongs to no user is not logged: it may be a password that was typed into the wrong field.
          email: known,
          email_tag: createHmac('sha256', tagKey).update(emailKey(attempt.email)).digest('hex').slice(0, 12),
          address,
        },
        'a sign-in was attempted',
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
