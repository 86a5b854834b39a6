import type { Locator, Page } from 'playwright-core';
import { tabTo } from '../keyboard.ts';

/** How a person uses the controls of a page. */
export interface Hand {
  /** Activates a button, a link, or a control that opens a part of the page. */
  press(control: Locator): Promise<void>;
  /** Replaces the text of a field. @param text of a day as in 2026-12-31 */
  type(field: Locator, text: string): Promise<void>;
  check(box: Locator): Promise<void>;
  /** @param value of the option, not its text */
  choose(list: Locator, value: string): Promise<void>;
}

const mouse = (): Hand => ({
  press: (control) => control.click(),
  type: (field, text) => field.fill(text),
  check: (box) => box.check(),
  choose: async (list, value) => {
    await list.selectOption(value);
  },
});

/** More than the number of options in a list. */
const MAX_OPTIONS = 20;

/** Uses only the keyboard: a control gets the focus by Tab. */
const keyboard = (page: Page): Hand => ({
  async press(control) {
    await tabTo(page, control);
    await page.keyboard.press('Enter');
  },
  async type(field, text) {
    await tabTo(page, field);
    if ((await field.getAttribute('type')) === 'date') {
      const [year, month, day] = text.split('-');
      await page.keyboard.type(`${month}${day}${year}`);
    } else {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    }
  },
  async check(box) {
    await tabTo(page, box);
    await page.keyboard.press('Space');
  },
  async choose(list, value) {
    await tabTo(page, list);
    await page.keyboard.press('Home');
    for (let step = 0; (await list.inputValue()) !== value; step++) {
      if (step === MAX_OPTIONS) throw new Error(`the arrow key does not lead to ${value} in ${list}`);
      await page.keyboard.press('ArrowDown');
    }
  },
});

export const HANDS = { mouse, keyboard };
