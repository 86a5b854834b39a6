import type { Locator, Page } from 'playwright-core';

/** How a person uses the controls of a page. */
export interface Hand {
  /** A button, a link, or what opens a part of the page. */
  press(control: Locator): Promise<void>;
  /** In the place of what stands there. @param text of a day as in 2026-12-31 */
  type(field: Locator, text: string): Promise<void>;
  check(box: Locator): Promise<void>;
  /** @param value of the option, not its text */
  choose(list: Locator, value: string): Promise<void>;
}

const mouse = (_: Page): Hand => ({
  press: (control) => control.click(),
  type: (field, text) => field.fill(text),
  check: (box) => box.check(),
  choose: async (list, value) => {
    await list.selectOption(value);
  },
});

export const HANDS = { mouse };
