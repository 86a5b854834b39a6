import type { Page } from 'playwright-core';

const WRONG_LABELS = `[...document.querySelectorAll('table')].flatMap((table) => {
  const heads = [...table.tHead.rows[0].cells];
  return [...table.tBodies[0].rows].flatMap(({ cells }) =>
    [...cells].flatMap((cell, index) => {
      const isLabelled = cell.tagName === 'TD' && !heads[index].querySelector('.visually-hidden');
      const expected = isLabelled ? JSON.stringify(heads[index].textContent + ' ') : 'none';
      const found = getComputedStyle(cell, '::before').content.replace('" " "', ' "');
      return found === expected ? [] : [found + ' for ' + expected];
    }),
  );
})`;

/** Returns the labels of cells on a narrow screen that differ from their column's head; empty if none does. */
export async function wrongLabels(page: Page): Promise<readonly string[]> {
  return page.evaluate(WRONG_LABELS);
}

/** Returns the exact times of a page that screen readers do not read; empty if they read all. */
export async function untoldTimes(page: Page): Promise<readonly string[]> {
  const titles: string[] = await page.evaluate(
    `[...document.querySelectorAll('[title$=" UTC"]')].map(({ title }) => title)`,
  );
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const told = new Set(
    nodes.filter(({ role }) => role?.value === 'StaticText').map(({ name }) => `${name?.value}`.trim()),
  );
  return titles.filter((title) => !told.has(`(${title})`));
}
