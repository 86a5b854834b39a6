import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPackageRegistry } from '../testing/package-registry.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { chooseRuntime, environmentOf } from './runtime.mjs';

const OTHER_INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const HERE = { os: [process.platform], cpu: [process.arch] };
const ELSEWHERE = { os: ['aix'], cpu: ['ppc64'] };

/** A workspace with a required package, and optional ones for this machine, for every machine and for another. */
async function arrange(tampered?: string) {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-install-'));
  // On another file system than the workspace, where there is one.
  const data = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'gatehouse-data-'));
  const packages = [
    { name: 'required', version: '1.0.0', files: {} },
    { name: '@native/here', version: '1.0.0', ...HERE, files: {} },
    { name: '@native/elsewhere', version: '1.0.0', ...ELSEWHERE, files: {} },
    { name: 'everywhere', version: '1.0.0', files: {} },
  ];
  const registry = await startPackageRegistry(packages);
  onTestFinished(() => {
    registry.stop();
    for (const folder of [root, data]) rmSync(folder, { recursive: true });
  });
  const names = packages.map(({ name }) => name);
  const optional = names.filter((name) => name !== 'required');
  const versions = (of: readonly string[]) => Object.fromEntries(of.map((name) => [name, '1.0.0']));
  const manifest = {
    name: 'workspace',
    version: '1.0.0',
    private: true,
    dependencies: versions(['required']),
    optionalDependencies: versions(optional),
  };
  const specifiers = (of: readonly string[]) =>
    of.flatMap((name) => [`      '${name}':`, '        specifier: 1.0.0', '        version: 1.0.0']);
  const lockOf = (wrong?: string) =>
    [
      "lockfileVersion: '9.0'",
      'settings:',
      '  autoInstallPeers: true',
      '  excludeLinksFromLockfile: false',
      'importers:',
      '  .:',
      '    dependencies:',
      ...specifiers(['required']),
      '    optionalDependencies:',
      ...specifiers(optional),
      'packages:',
      ...packages.flatMap(({ name, files: _files, version, ...limits }) => [
        `  '${name}@${version}':`,
        `    resolution: {integrity: ${name === wrong ? OTHER_INTEGRITY : registry.integrityOf(name)}}`,
        ...Object.entries(limits).map(([limit, [value]]) => `    ${limit}: [${value}]`),
      ]),
      'snapshots:',
      ...names.flatMap((name) =>
        name === 'required' ? [`  '${name}@1.0.0': {}`] : [`  '${name}@1.0.0':`, '    optional: true'],
      ),
      '',
    ].join('\n');
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, '.npmrc'), `registry=${registry.url}\n`);
  writeFileSync(
    join(root, 'pnpm-workspace.yaml'),
    `packages: ['.']\npmOnFail: ignore\nfetchRetries: 0\nminimumReleaseAge: 0\ncacheDir: ${join(root, 'cache')}\n`,
  );
  const lock = (wrong?: string) => writeFileSync(join(root, 'pnpm-lock.yaml'), lockOf(wrong));
  lock(tampered);
  const env = { ...environmentOf(chooseRuntime()), XDG_DATA_HOME: data };
  return { root, data, lock, install: () => installDependencies(root, env) };
}

const isThere = (root: string, name: string) => existsSync(join(root, 'node_modules', name, 'package.json'));

describe('the installation of the locked dependencies', () => {
  it('succeeds if all packages for this machine are installed', async () => {
    const { root, data, install } = await arrange();
    await install();
    expect(
      ['required', '@native/here', '@native/elsewhere', 'everywhere'].map((name) => isThere(root, name)),
    ).toEqual([true, true, false, true]);
    // The user's store, and not one of the file system, where another user may have put one.
    expect(existsSync(join(data, 'pnpm', 'store'))).toBe(true);
  });

  it.each(['@native/here', 'everywhere'])(
    'fails and names %s, which is optional, when it does not match its integrity, again and again until it does',
    async (name) => {
      const { root, lock, install } = await arrange(name);
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        await expect(install()).rejects.toThrow(
          `pnpm left out ${name}@1.0.0: they could not be fetched, or do not match pnpm-lock.yaml.`,
        );
      }
      expect(isThere(root, name)).toBe(false);
      lock();
      await install();
      expect(isThere(root, name)).toBe(true);
    },
  );

  it('fails if a required package does not match its integrity', async () => {
    const { install } = await arrange('required');
    await expect(install()).rejects.toThrow('pnpm could not install the dependencies');
  });
});
