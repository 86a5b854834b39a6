import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@gatehouse/front';

/**
 * The address at which browsers find the pages. The server makes links and cookies for this address, and accepts only
 * forms from this address.
 */
export interface Site {
  /** Such as `https://gatehouse.example`. */
  readonly origin: string;
  /** Whether browsers use https. */
  readonly isSecure: boolean;
}

/**
 * Why a request gets no page. `not_local`: the setting `PUBLIC_URL` is missing, and the request is from another
 * machine. `other_host`: the request is for another host than the one in `PUBLIC_URL`.
 */
export type NoSite = 'not_local' | 'other_host';

export type FindSite = (request: IncomingMessage) => Site | NoSite;

/**
 * Decides whether a request may see pages. With `PUBLIC_URL`, only requests to that address may. Without `PUBLIC_URL`,
 * pages are served by plain HTTP, so only a browser on this machine may see them. Requests through a proxy, or with the
 * host name of another site (DNS rebinding), may not. A proxy that adds no header field cannot be detected. Its clients
 * see pages, but cannot send forms, because the forms have the origin of the proxy.
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

/** Header fields that proxies add. A request with one of them is not from a browser on this machine. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|x-envoy-.*|x-original-.*)$/;

function isLocal({ headers, httpVersion, socket }: IncomingMessage): boolean {
  // Browsers use HTTP/1.1. By default, nginx forwards requests by HTTP/1.0, without a header field that reveals the
  // proxy.
  if (httpVersion !== '1.1') return false;
  if (!LOOPBACK.test(plainAddress(socket.remoteAddress ?? ''))) return false;
  const [host, port = '80'] = LOCAL_HOST.exec(headers.host ?? '') ?? [];
  if (host === undefined || Number(port) !== socket.localPort || !URL.canParse(`http://${host}`))
    return false;
  return !Object.keys(headers).some((name) => FORWARDED.test(name));
}
