import axe, { type NodeResult, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { withJavaScript } from './new-page.ts';

const WCAG_2_2_AA: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Off unless it is named.
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};

type Violations = readonly { readonly id: string; readonly nodes: readonly Finding[] }[];
type Finding = Pick<NodeResult, 'target' | 'failureSummary'>;

/** Returns only the printed parts: transferring all of axe-core's results would take longer than its rules. */
const FIND = `axe.run(document, ${JSON.stringify(WCAG_2_2_AA)}).then(({ violations }) =>
  violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  })),
)`;

/**
 * Returns the violations of WCAG 2.2 AA that axe-core finds on a page, also with JavaScript off; empty if there are
 * none. One line for each element: the rule, how to find the element, and what is wrong.
 */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // The debugger evaluates it, so the page's content security policy does not apply.
  const violations = await withJavaScript(page, async () => {
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
    return await page.evaluate<Violations>(FIND);
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
