import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { unpackedChromium } from './chromium/unpacked-chromium.ts';

/** Pages name only their own host; a page that names another cannot reach it. */
const ONLY_THIS_MACHINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

let browser: Promise<Browser> | undefined;

/**
 * The browser that all tests of a process share; it ends with the process. On Linux x64 it is the Chromium of a
 * package, elsewhere the Chrome that is installed, or the program that `CHROME_PATH` names. Throws if there is none: a
 * test that needs a browser fails without one.
 */
export function openBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

/** Starts a browser. The error says that tests did not run; its cause says why. */
export async function launch(find: () => Promise<LaunchOptions> = installedBrowser): Promise<Browser> {
  try {
    const launched = await chromium.launch({ args: [ONLY_THIS_MACHINE], ...(await find()) });
    launched.once('disconnected', () => {
      browser = undefined;
    });
    return launched;
  } catch (cause) {
    throw new Error(
      'No browser, so the tests in it did not run. On Linux x64, npm test brings one; elsewhere, install Chrome or name its program in CHROME_PATH.',
      { cause },
    );
  }
}

/** The browser for a machine. */
export async function installedBrowser(
  machine: { readonly platform: string; readonly arch: string } = process,
  { CHROME_PATH } = process.env,
): Promise<LaunchOptions> {
  if (CHROME_PATH !== undefined && CHROME_PATH !== '') return { executablePath: CHROME_PATH };
  if (machine.platform === 'linux' && machine.arch === 'x64') return unpackedChromium();
  return { channel: 'chrome' };
}
