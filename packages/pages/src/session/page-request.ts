import { ok, type Result } from '@gatehouse/domain';
import type { FindSessionOptions, SessionFormKey, SessionSecret, SignedIn } from '@gatehouse/domain/sessions';
import type { Instant } from '@gatehouse/domain/time';
import { formToken } from '../forms/form-token.ts';
import { setCookie } from '../http/cookies.ts';
import type { PagePorts } from '../ports.ts';
import type { Visit } from '../visit.ts';

type Renewal = Result<{ readonly secret: SessionSecret }, unknown>;

type Done = { readonly ok: true; readonly value: undefined };

/** A request with a live session, for pages. */
export interface PageRequest extends Visit, SignedIn {
  readonly now: Instant;
  /** The token of a form that is sent to this path. @param target tells apart several forms with this path */
  formToken(path: string, target?: string): string;
  /** Reads the session again, after a long wait; undefined if it has ended. */
  reopen(): Promise<PageRequest | undefined>;
  /**
   * Makes a change that replaces the session's secret. The response gives the browser the new one, even if a later step fails.
   */
  renew<R extends Renewal>(
    change: (secret: string) => Promise<R>,
  ): Promise<Extract<R, { readonly ok: false }> | Done>;
}

export type PageRequestPorts = Pick<PagePorts, 'clock' | 'findSession'>;

/** The session of a request. */
export type Opening =
  | { readonly state: 'open'; readonly request: PageRequest }
  /** The response to another request gives the browser a new secret. */
  | { readonly state: 'replaced'; readonly formKey: SessionFormKey | undefined }
  | { readonly state: 'none' };

/** Finds the session of a request, in one query. */
export function createOpenRequest(ports: PageRequestPorts) {
  return async function open(visit: Visit, options?: FindSessionOptions): Promise<Opening> {
    const secret = visit.cookie('session');
    if (secret === undefined) return { state: 'none' };
    return openBy(ports, visit, secret, { extend: !visit.isFromOtherOrigin, ...options });
  };
}

async function openBy(
  ports: PageRequestPorts,
  visit: Visit,
  secret: string,
  options?: FindSessionOptions,
): Promise<Opening> {
  const found = await ports.findSession(secret, visit.request.address, options);
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
      const again = await openBy(ports, visit, current, options);
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
