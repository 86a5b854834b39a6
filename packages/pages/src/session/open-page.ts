import type { Answer, Endpoint } from '@gatehouse/http';
import { page } from '../elements/layout.ts';
import type { Html } from '../html.ts';
import { pageAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import type { FindSite, Site } from '../site/site.ts';
import type { View } from '../view.ts';
import type { Visit } from '../visit.ts';
import type { FindShell } from './find-shell.ts';

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
