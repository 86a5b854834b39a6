import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@gatehouse/front';

/** The origin at which browsers know the pages: it decides links, cookies, and where forms must come from. */
export interface Site {
  /** Such as `https://gatehouse.example`. */
  readonly origin: string;
  /** Whether browsers come by https. */
  readonly isSecure: boolean;
}

/** Why no page is shown: without `PUBLIC_URL` the request has to come from this machine, with it the host has to be its. */
export type NoSite = 'not_local' | 'other_host';

export type FindSite = (request: IncomingMessage) => Site | NoSite;

/**
 * Finds out whether pages may be shown to a request. Without `PUBLIC_URL` they are served by plain HTTP, so only to a
 * browser on this machine. A proxy on this machine, or a name that was made to lead here (DNS rebinding), must be told
 * apart from it. A proxy that adds no header cannot be detected; forms that are sent through it have its origin, and
 * are refused.
 */
export function createFindSite(publicUrl: string | undefined): FindSite {
  if (publicUrl === undefined) return (request) => (isLocal(request) ? localSite(request) : 'not_local');
  const { origin, host, protocol } = new URL(publicUrl);
  const site: Site = { origin, isSecure: protocol === 'https:' };
  const withPort = `${host}:${site.isSecure ? 443 : 80}`;
  return ({ headers }) => {
    const asked = headers.host?.toLowerCase();
    return asked === host || asked === withPort ? site : 'other_host';
  };
}

function localSite({ headers }: IncomingMessage): Site {
  return { origin: new URL(`http://${headers.host}`).origin, isSecure: false };
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1)$/;

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i;

/** Header fields that proxies add. One of them is enough: the request came from elsewhere. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|x-envoy-.*|x-original-.*)$/;

function isLocal({ headers, httpVersion, socket }: IncomingMessage): boolean {
  // No browser asks by an older version; nginx does, with our own host and none of these fields, unless it is told otherwise.
  if (httpVersion !== '1.1') return false;
  if (!LOOPBACK.test(plainAddress(socket.remoteAddress ?? ''))) return false;
  const [host, port = '80'] = LOCAL_HOST.exec(headers.host ?? '') ?? [];
  if (host === undefined || Number(port) !== socket.localPort || !URL.canParse(`http://${host}`))
    return false;
  return !Object.keys(headers).some((name) => FORWARDED.test(name));
}
