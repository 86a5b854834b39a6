import type { FindSessionOptions, SessionFormKey, SessionSecret, SignedIn } from '@gatehouse/domain/sessions';
import type { Instant } from '@gatehouse/domain/time';
import { formToken } from '../forms/form-token.ts';
import { setCookie } from '../http/cookies.ts';
import type { PagePorts } from '../ports.ts';
import type { Visit } from '../visit.ts';

/** A request for a page by a user who is signed in. */
export interface PageRequest extends Visit, SignedIn {
  readonly now: Instant;
  /** Returns the token of a form that is sent to this path. @param target distinguishes forms with the same path */
  formToken(path: string, target?: string): string;
  /**
   * Reads the session again, for example after a password was verified; undefined if the session has ended meanwhile.
   */
  reopen(): Promise<PageRequest | undefined>;
  /** The secret of the session. After a call of `renewSecret`, this is the new secret. */
  readonly secret: string;
  /** Sends the session's new secret to the browser with the answer to this request, even if the answer is an error. */
  renewSecret(secret: SessionSecret): void;
}

export type PageRequestPorts = Pick<PagePorts, 'clock' | 'findSession'>;

/** Whether a request has a session with which every page may be opened: `open` if it has one, `none` if it has none. */
export type Opening =
  | { readonly state: 'open'; readonly request: PageRequest }
  /** The user has to enrol a second factor before anything else (`SignedIn.mustEnrol`). */
  | { readonly state: 'must_enrol'; readonly request: PageRequest }
  /** The session has a new secret, which the browser got with the answer to another request. */
  | { readonly state: 'replaced'; readonly formKey: SessionFormKey | undefined }
  | { readonly state: 'none' };

/** Finds the session of a request, in one query. @param secret of the session; default: the secret in the cookie */
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
  const { renewed, formKey, user } = found.value;
  const request: PageRequest = {
    ...visit,
    ...found.value,
    now: ports.clock.now(),
    formToken: (path, target) => formToken(formKey, { path, target, user: user.id }),
    async reopen() {
      const again = await openRequest(ports, visit, options, current);
      return requestIn(again);
    },
    get secret() {
      return current;
    },
    renewSecret(renewed) {
      current = renewed;
      visit.request.carry(setCookie(visit.site, 'session', renewed));
    },
  };
  if (renewed) request.renewSecret(renewed);
  return { state: found.value.mustEnrol ? 'must_enrol' : 'open', request };
}

/**
 * Returns the request of a user who is signed in, even if the user has to enrol a second factor first. Only for what
 * such a user may do: enrol and sign out.
 */
export function requestIn(opened: Opening): PageRequest | undefined {
  return opened.state === 'open' || opened.state === 'must_enrol' ? opened.request : undefined;
}
