import type { Answer } from '@gatehouse/http';
import { plainPage } from '../elements/layout.ts';
import type { Html } from '../html.ts';
import { pageAnswer } from '../http/page-answer.ts';
import type { Site } from '../site/site.ts';
import type { View } from '../view.ts';
import type { Visit } from '../visit.ts';
import type { FindShell } from './find-shell.ts';

/**
 * Shows a page that is the same for everyone, except that its header says who is signed in. The page for visitors is made once.
 *
 * @param viewOf returns the view at a site; the same object each time
 */
export function openPage(findShell: FindShell, viewOf: (site: Site) => View) {
  const made = new WeakMap<View, Html>();
  return (visit: Visit): Answer | Promise<Answer> => {
    const { site } = visit;
    const shown = viewOf(site);
    const forVisitors = () => {
      const page = made.get(shown) ?? plainPage(shown);
      made.set(shown, page);
      return pageAnswer(site, 200, page);
    };
    const finding = findShell(visit);
    if (finding === undefined) return forVisitors();
    return finding.then((shell) =>
      shell === undefined ? forVisitors() : pageAnswer(site, 200, plainPage(shown, null, shell)),
    );
  };
}
