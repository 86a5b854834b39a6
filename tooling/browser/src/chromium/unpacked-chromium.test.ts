import { chmod, chown, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installedBrowser, launch } from '../open-browser.ts';
import { unpackedChromium } from './unpacked-chromium.ts';

const IS_HERE = process.platform === 'linux' && process.arch === 'x64';

async function makeModules() {
  const modules = await mkdtemp(join(tmpdir(), 'gatehouse-modules-'));
  onTestFinished(() => rm(modules, { recursive: true, force: true }));
  return modules;
}

describe.runIf(IS_HERE)('the Chromium of the package', () => {
  it('is unpacked once, also by processes that begin together, into a folder that only its owner enters', async () => {
    const modules = await makeModules();
    const [one, other] = await Promise.all([unpackedChromium(modules), unpackedChromium(modules)]);
    expect(one).toEqual(other);
    const folder = dirname(one.executablePath);
    expect(await readdir(dirname(folder))).toHaveLength(1);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    // It reads only its own paths, because any user can put something into /tmp. The search path is the caller's, whose
    // checkout may be there.
    const { PATH, ...own } = one.env;
    expect(PATH).toBe(process.env.PATH);
    expect(
      Object.values(own).filter((value) => value.startsWith('/tmp/') && !value.startsWith(folder)),
    ).toEqual([]);
    const fonts = await readFile(join(folder, 'fonts.conf'), 'utf8');
    const folders = Array.from(fonts.matchAll(/<(?:dir|cachedir)>([^<]*)/g), ([, each = '']) => each);
    expect(folders.filter((each) => !each.startsWith(folder))).toEqual([]);

    const unpacked = await stat(one.executablePath);
    await unpackedChromium(modules);
    expect((await stat(one.executablePath)).ino).toBe(unpacked.ino);
    // It starts from there with only these settings.
    await using browser = await chromium.launch(one);
    expect(browser.isConnected()).toBe(true);

    await chmod(folder, 0o750);
    await expect(unpackedChromium(modules)).rejects.toThrow('others can enter it');
    await chmod(folder, 0o700);
    await rename(folder, `${folder}-elsewhere`);
    await symlink(`${folder}-elsewhere`, folder);
    await expect(unpackedChromium(modules)).rejects.toThrow('remove it');
    if (process.getuid?.() !== 0) return;
    await rm(folder);
    await rename(`${folder}-elsewhere`, folder);
    await chown(folder, 65534, 65534);
    await expect(unpackedChromium(modules)).rejects.toThrow('belongs to another user');
  });
});

describe('the browser for a machine', () => {
  it.each([
    ['darwin', 'arm64'],
    ['linux', 'arm64'],
  ])('of %s on %s is the Chrome that is installed', async (platform, arch) => {
    expect(await installedBrowser({ platform, arch }, {})).toEqual({ channel: 'chrome' });
  });

  it('is the one that CHROME_PATH names, if any', async () => {
    expect(await installedBrowser(process, { CHROME_PATH: '/opt/chrome' })).toEqual({
      executablePath: '/opt/chrome',
    });
  });

  it('that has none fails the tests, and says so', async () => {
    await expect(launch(async () => ({ executablePath: '/nowhere/chrome' }))).rejects.toThrow(
      'No browser, so the tests in it did not run.',
    );
    await expect(launch(() => Promise.reject(new Error('not unpacked')))).rejects.toThrow('No browser');
  });
});
