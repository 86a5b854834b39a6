import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { Answer, Endpoint } from '@gatehouse/http';
import { page, type Shell } from '../elements/layout.ts';
import type { Html } from '../html.ts';
import { pageAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import { SIGN_OUT } from '../paths.ts';
import type { FindSite, Site } from '../site/site.ts';
import type { View } from '../view.ts';
import type { Visit } from '../visit.ts';
import { createOpenRequest, type PageRequest, type PageRequestPorts } from './page-request.ts';

/**
 * Shows a page that is the same for everyone, except that its header says who is signed in. The page for visitors is made once.
 *
 * @param viewOf returns the view at a site; the same object each time
 */
export function openPage(findSite: FindSite, findShell: FindShell, viewOf: (site: Site) => View): Endpoint {
  const made = new WeakMap<View, Html>();
  function show(visit: Visit): Answer | Promise<Answer> {
    const { site } = visit;
    const shown = viewOf(site);
    const forVisitors = () => {
      const html = made.get(shown) ?? page(shown);
      made.set(shown, html);
      return pageAnswer(site, 200, html);
    };
    const finding = findShell(visit);
    if (finding === undefined) return forVisitors();
    return finding.then((shell) => (shell ? pageAnswer(site, 200, page(shown, null, shell)) : forVisitors()));
  }
  return createPageEndpoint(findSite, { GET: show });
}

/** Finds who is signed in, for the header of a public page; undefined for a visitor. */
export type FindShell = (visit: Visit) => Promise<Shell | undefined> | undefined;

/**
 * Without a session cookie it reads nothing. Showing the page does not count as use of the session, and works without a database.
 */
export function createFindShell(ports: PageRequestPorts): FindShell {
  const open = createOpenRequest(ports);
  async function find(visit: Visit): Promise<Shell | undefined> {
    const opened = await open(visit, { extend: false });
    return opened.state === 'open' ? shellOf(opened.request) : undefined;
  }
  return (visit) => {
    if (visit.cookie('session') === undefined) return undefined;
    return find(visit).catch((fault: unknown) => {
      if (fault instanceof UnavailableFault || fault instanceof SetupFault) return undefined;
      throw fault;
    });
  };
}

/** The header of a page, for the user of a request. */
export function shellOf({ user, account, path, formToken }: PageRequest): Shell {
  return { user, account, path, signOutToken: formToken(SIGN_OUT) };
}
