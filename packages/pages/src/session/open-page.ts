import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { Endpoint } from '@gatehouse/http';
import { page } from '../elements/layout.ts';
import type { Html } from '../html.ts';
import { pageAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import type { FindSite, Site } from '../site/site.ts';
import type { View } from '../view.ts';
import type { Visit } from '../visit.ts';
import { openRequest, type PageRequest, type PageRequestPorts, requestIn } from './page-request.ts';

/**
 * Serves a page that needs no session. Only the header of the page differs for signed-in users, so the page for
 * visitors is rendered once.
 *
 * @param viewOf returns the same object as long as the view does not change
 */
export function openPage(
  findSite: FindSite,
  findSignedIn: FindSignedIn,
  viewOf: (site: Site) => View,
): Endpoint {
  const rendered = new WeakMap<View, Html>();
  return createPageEndpoint(findSite, {
    async GET(visit) {
      const { site } = visit;
      const shown = viewOf(site);
      const request = await findSignedIn(visit);
      if (request) return pageAnswer(site, 200, page(shown, null, request));
      const html = rendered.get(shown) ?? page(shown);
      rendered.set(shown, html);
      return pageAnswer(site, 200, html);
    },
  });
}

/** Finds who is signed in, for the header of a public page; undefined for a visitor. */
export type FindSignedIn = (visit: Visit) => Promise<PageRequest | undefined>;

/**
 * Reads the database only if the request has a session cookie. The request does not extend the session. If the database
 * cannot be reached, the user sees the page that visitors see.
 */
export function createFindSignedIn(ports: PageRequestPorts): FindSignedIn {
  return async (visit) => {
    try {
      const opened = await openRequest(ports, visit, { extend: false });
      return requestIn(opened);
    } catch (fault) {
      if (fault instanceof UnavailableFault || fault instanceof SetupFault) return undefined;
      throw fault;
    }
  };
}
