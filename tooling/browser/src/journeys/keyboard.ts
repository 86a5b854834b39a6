import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The maximum number of steps: a list of 50 rows has a box, a link and a menu in each, and filters above it. */
const MAX_STEPS = 220;

/** Presses the Tab key until the control has the focus, and checks that a reader can see the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if ((await control.and(page.locator(':focus')).count()) === 1) {
      expect(await page.evaluate(SEEN), `${control} has the focus`).toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${control}`);
}

/** Whether the focused control has an outline and is inside the window. */
const SEEN = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && top >= 0 && bottom <= innerHeight;
})()`;

/** Lists the controls of a page in the order of the document, and from now on records those that get the focus. */
const WATCH = `(() => {
  const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility())
    // A group of radio buttons has one stop: the chosen one, or the first if none is chosen.
    .filter((each, _, all) => {
      if (each.type !== 'radio') return true;
      const group = all.filter(({ type, name, form }) => type === 'radio' && name === each.name && form === each.form);
      return each === (group.find(({ checked }) => checked) ?? group[0]);
    });
  const focused = [];
  document.addEventListener('focusin', ({ target }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    focused.push({ stop: stops.indexOf(target), isSeen, what: target.outerHTML.slice(0, 80) });
  });
  globalThis.focusedByKeyboard = focused;
  // The parts of a date take a step each.
  return { stops: stops.length, steps: stops.length + 2 + 4 * stops.filter(({ type }) => type === 'date').length };
})()`;

interface Focused {
  /** -1 if the control was not there at first. */
  readonly stop: number;
  readonly isSeen: boolean;
  readonly what: string;
}

/**
 * Goes around a page by the Tab key, from any start.
 *
 * @returns what is wrong: stops out of order or left out, a focus that cannot be seen
 */
export async function goAround(page: Page): Promise<readonly string[]> {
  const { stops, steps }: { stops: number; steps: number } = await page.evaluate(WATCH);
  // The key is held down, and repeats. Pressing it again for each step would take twice as long.
  for (let step = 0; step < steps; step++) await page.keyboard.down('Tab');
  await page.keyboard.up('Tab');
  const focused: readonly Focused[] = await page.evaluate('focusedByKeyboard');
  // The skip link covers the header while it has the focus.
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  const unseen = focused.filter(({ isSeen }) => !isSeen).map(({ what }) => `not seen: ${what}`);
  const outOfOrder = focused.flatMap(({ stop, what }, index) => {
    const before = focused[index - 1];
    return before === undefined || stop === (before.stop + 1) % stops ? [] : [`out of order: ${what}`];
  });
  const reached = new Set(focused.map(({ stop }) => stop)).size;
  return [...unseen, ...outOfOrder, ...(reached < stops ? [`reached: ${reached} of ${stops}`] : [])];
}
