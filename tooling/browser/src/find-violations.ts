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

/** Hands over only what is printed: with all that axe-core returns, that would take longer than its rules. */
const FIND = `axe.run(document, ${JSON.stringify(WCAG_2_2_AA)}).then(({ violations }) =>
  violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  })),
)`;

/**
 * What axe-core finds against WCAG 2.2 AA on a page, and on one in which JavaScript is off; empty if nothing. One line for each
 * element: the rule, how to find the element, and what is wrong.
 */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // The debugger evaluates it, which the page's content security policy does not concern.
  const violations = await withJavaScript(page, async () => {
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
    return await page.evaluate<Violations>(FIND);
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
