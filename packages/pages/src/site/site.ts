import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@gatehouse/front';

/** The origin of the pages in browsers. Links, cookies and the check of forms depend on it. */
export interface Site {
  /** Such as `https://gatehouse.example`. */
  readonly origin: string;
  /** Whether browsers use https. */
  readonly isSecure: boolean;
}

/** Why no page is shown: without `PUBLIC_URL`, the request is not from this machine; with it, the host is another one. */
export type NoSite = 'not_local' | 'other_host';

export type FindSite = (request: IncomingMessage) => Site | NoSite;

/**
 * Decides whether pages may be shown to a request. Without `PUBLIC_URL`, they are served by plain HTTP, so only to a browser on
 * this machine, and not through a proxy or by a name that was made to lead here (DNS rebinding). A proxy that adds no header
 * cannot be detected; the forms of its clients have its origin, and are refused.
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

/** Header fields that proxies add. One of them shows that the request came from elsewhere. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|x-envoy-.*|x-original-.*)$/;

function isLocal({ headers, httpVersion, socket }: IncomingMessage): boolean {
  // No browser uses an older version. nginx does by default, with our own host and none of these fields.
  if (httpVersion !== '1.1') return false;
  if (!LOOPBACK.test(plainAddress(socket.remoteAddress ?? ''))) return false;
  const [host, port = '80'] = LOCAL_HOST.exec(headers.host ?? '') ?? [];
  if (host === undefined || Number(port) !== socket.localPort || !URL.canParse(`http://${host}`))
    return false;
  return !Object.keys(headers).some((name) => FORWARDED.test(name));
}
