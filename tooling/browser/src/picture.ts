import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';

/** Takes a picture of a whole page as a PNG. */
export async function picture(page: Page, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage: true, animations: 'disabled', caret: 'hide' });
}
