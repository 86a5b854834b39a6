import type { SignedIn } from '@gatehouse/domain/sessions';
import type { Clock, Instant } from '@gatehouse/domain/time';
import type { ClientAddress } from '../../http/client-address.ts';
import { formToken } from '../forms/form-token.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import type { Visit } from '../visit.ts';

/** What a page is given of a request with a live session. */
export interface PageRequest extends Visit, SignedIn {
  readonly now: Instant;
  /** The token of a form that is sent to this path. @param target what it is about, where several forms are sent there */
  formToken(path: string, target?: string): string;
  /** Reads the session anew, after something that took long; undefined where it has ended. */
  reopen(): Promise<PageRequest | undefined>;
}

export interface PageRequestPorts extends Pick<PageUseCases, 'findSession'> {
  readonly clock: Clock;
  readonly clientAddress: ClientAddress;
}

/** A request of a browser that is signed in, and the session's secret, which no page needs. */
export interface Opened {
  readonly request: PageRequest;
  readonly secret: string;
}

/** Finds the session of a request, in one query; undefined where there is none that is live. */
export function createOpenRequest(ports: PageRequestPorts) {
  return async function open(visit: Visit): Promise<Opened | undefined> {
    const secret = visit.cookie('session');
    if (secret === undefined) return undefined;
    const found = await ports.findSession(secret, ports.clientAddress(visit.request), {
      extend: !visit.isFromOtherOrigin,
    });
    if (!found.ok) return undefined;
    const token = (path: string, target?: string) => formToken(secret, path, target);
    const reopen = async () => (await open(visit))?.request;
    return {
      request: { ...visit, ...found.value, now: ports.clock.now(), formToken: token, reopen },
      secret,
    };
  };
}
