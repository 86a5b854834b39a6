import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockedPackages, packagesOnlyOf } from './locked-packages.mjs';
import { PARTS, ROOT } from './workspace.mjs';

const LOCKFILE = [
  "lockfileVersion: '9.0'",
  'importers:',
  '  .:',
  '    devDependencies:',
  '      shared:',
  '        specifier: ^1.0.0',
  '        version: 1.2.3(peer@2.0.0)',
  '  tooling/browser:',
  '    dependencies:',
  "      '@gatehouse/server':",
  '        specifier: workspace:*',
  '        version: link:../../apps/server',
  "      '@scope/direct':",
  '        specifier: 4.0.0',
  '        version: 4.0.0(shared@1.2.3(peer@2.0.0))',
  '      alias:',
  '        specifier: npm:@scope/other@5.0.0',
  "        version: '@scope/other@5.0.0'",
  '      shared:',
  '        specifier: ^1.0.0',
  '        version: 1.2.3(peer@2.0.0)',
  'packages:',
  ...['@scope/direct@4.0.0', '@scope/other@5.0.0', 'indirect@6.0.0', 'peer@2.0.0', 'shared@1.2.3'].flatMap(
    (name) => [`  '${name}':`, '    resolution: {integrity: sha512-x}'],
  ),
  'snapshots:',
  "  '@scope/direct@4.0.0(shared@1.2.3(peer@2.0.0))':",
  '    dependencies:',
  '      shared: 1.2.3(peer@2.0.0)',
  '    optionalDependencies:',
  '      indirect: 6.0.0',
  "  '@scope/other@5.0.0': {}",
  '  indirect@6.0.0: {}',
  '  peer@2.0.0: {}',
  '  shared@1.2.3(peer@2.0.0):',
  '    dependencies:',
  '      peer: 2.0.0',
  '',
].join('\n');

it('the locked packages are those of registries, and none that is installed by its path', () => {
  const ofPath = "  '@acme/tool-loans@file:../tool-loans/acme-tool-loans-1.0.0.tgz':\n    version: 1.0.0\n";
  const lockfile = LOCKFILE.replace('packages:\n', `packages:\n${ofPath}`);
  expect(lockedPackages(lockfile)).toEqual(lockedPackages(LOCKFILE));
  expect(lockedPackages(LOCKFILE)).toContain('@scope/direct@4.0.0');
});

describe('the packages that only one package of the workspace brings', () => {
  it('are its own and those behind them, but none that another has, too', () => {
    expect([...packagesOnlyOf(['tooling/browser'], LOCKFILE)].toSorted()).toEqual([
      '@scope/direct@4.0.0',
      '@scope/other@5.0.0',
      'indirect@6.0.0',
    ]);
  });

  it.each([
    [PARTS.browser, ['@sparticuz/chromium', 'playwright-core', 'axe-core', 'html-validate'], 30],
    [PARTS.site, ['vitepress', 'vue', 'sirv', 'shiki'], 180],
  ])('are all locked, with those of %s among them', (folder, some, max) => {
    const lockfile = readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8');
    const unwanted = [...packagesOnlyOf([folder], lockfile)];
    expect(lockedPackages(lockfile)).toEqual(expect.arrayContaining(unwanted));
    expect(unwanted.map((name) => name.replace(/@[^@]+$/, ''))).toEqual(expect.arrayContaining(some));
    expect(unwanted.length).toBeLessThan(max);
  });

  it('are also those that two of the packages share', () => {
    const shared = LOCKFILE.replace(
      /^ {2}tooling\/browser:\n((?: {4}.*\n)+)/m,
      (entry) => entry + entry.replace('browser', 'site'),
    );
    expect([...packagesOnlyOf(['tooling/browser'], shared)]).toEqual([]);
    expect([...packagesOnlyOf(['tooling/browser', 'tooling/site'], shared)].toSorted()).toEqual([
      '@scope/direct@4.0.0',
      '@scope/other@5.0.0',
      'indirect@6.0.0',
    ]);
  });
});
