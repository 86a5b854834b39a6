import { ok, type Result } from '@gatehouse/domain';
import type { FindSessionOptions, SessionFormKey, SessionSecret, SignedIn } from '@gatehouse/domain/sessions';
import type { Instant } from '@gatehouse/domain/time';
import { formToken } from '../forms/form-token.ts';
import { setCookie } from '../http/cookies.ts';
import type { PagePorts } from '../ports.ts';
import type { Visit } from '../visit.ts';

type Renewal = Result<{ readonly secret: SessionSecret }, unknown>;

type Done = { readonly ok: true; readonly value: undefined };

/** A request for a page by a user who is signed in. */
export interface PageRequest extends Visit, SignedIn {
  readonly now: Instant;
  /** Returns the token of a form that is sent to this path. @param target tells apart several forms with the same path */
  formToken(path: string, target?: string): string;
  /** Reads the session again, such as after a wait for the verification of a password; undefined if the session has ended. */
  reopen(): Promise<PageRequest | undefined>;
  /** Makes a change that replaces the secret of the session. Every answer then gives the browser the new secret, also a failure. */
  renew<R extends Renewal>(
    change: (secret: string) => Promise<R>,
  ): Promise<Extract<R, { readonly ok: false }> | Done>;
}

export type PageRequestPorts = Pick<PagePorts, 'clock' | 'findSession'>;

/** Whether a request has a session. */
export type Opening =
  | { readonly state: 'open'; readonly request: PageRequest }
  /** The session got a new secret meanwhile, with the answer to another request of the browser. */
  | { readonly state: 'replaced'; readonly formKey: SessionFormKey | undefined }
  | { readonly state: 'none' };

/** Finds the session of a request, in one query. @param secret of the session; default: that of the cookie */
export async function openRequest(
  ports: PageRequestPorts,
  visit: Visit,
  options?: FindSessionOptions,
  secret = visit.cookie('session'),
): Promise<Opening> {
  if (secret === undefined) return { state: 'none' };
  const extend = !visit.isFromOtherOrigin;
  const found = await ports.findSession(secret, visit.request.address, { extend, ...options });
  if (!found.ok) {
    const { reason, formKey } = found.error;
    return reason === 'replaced' ? { state: 'replaced', formKey } : { state: 'none' };
  }
  let current = secret;
  const give = (renewed: SessionSecret) => {
    current = renewed;
    visit.request.carry(setCookie(visit.site, 'session', renewed));
  };
  const { renewed, formKey, user } = found.value;
  if (renewed) give(renewed);
  const request: PageRequest = {
    ...visit,
    ...found.value,
    now: ports.clock.now(),
    formToken: (path, target) => formToken(formKey, { path, target, user: user.id }),
    async reopen() {
      const again = await openRequest(ports, visit, options, current);
      return again.state === 'open' ? again.request : undefined;
    },
    async renew<R extends Renewal>(change: (secret: string) => Promise<R>) {
      const changed = await change(current);
      if (!changed.ok) return changed as Extract<R, { readonly ok: false }>;
      give(changed.value.secret);
      return ok(undefined);
    },
  };
  return { state: 'open', request };
}
