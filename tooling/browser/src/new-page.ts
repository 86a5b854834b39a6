import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from './open-browser.ts';

/** How long one step may take, in milliseconds. A test then reports the step at which it waited. */
const STEP_MS = 15_000;

export interface PageOptions {
  /** On by default. */
  readonly javaScript?: boolean;
  /** The width of the window in CSS pixels. Default: 1280; pages are made for 320 and more. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** A page whose cookies are copied, so the same person is signed in. */
  readonly like?: Page;
}

/**
 * The debugger sessions of pages in which JavaScript is off: only the session that switched it off can switch it on.
 */
const sessions = new WeakMap<Page, CDPSession>();

/** Opens a page in a context of its own: no other page has its cookies. Closed by `await using`. */
export async function newPage({
  javaScript = true,
  width = 1280,
  colorScheme = 'light',
  like,
}: PageOptions = {}): Promise<Page> {
  const browser = await openBrowser();
  const page = await browser.newPage({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    // No test of pages is about certificates, and some test servers have self-signed ones.
    ignoreHTTPSErrors: true,
  });
  page.setDefaultTimeout(STEP_MS);
  if (like !== undefined) await page.context().addCookies(await like.context().cookies());
  if (!javaScript) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    sessions.set(page, session);
  }
  return page;
}

/**
 * Runs `work` with JavaScript on: otherwise promises in the code that a test evaluates on the page would never settle.
 * The document stays as it was parsed, and no script in it runs.
 */
export async function withJavaScript<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const session = sessions.get(page);
  if (session === undefined) return await work();
  await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  try {
    return await work();
  } finally {
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  }
}
