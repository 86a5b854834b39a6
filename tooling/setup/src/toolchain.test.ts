import { randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPackageRegistry } from '../testing/package-registry.mjs';
import { bringToolchain } from './toolchain.mjs';
import type { LockedPackage } from './toolchain-lock.mjs';

const THIS = { os: [process.platform], cpu: [process.arch] };
const PROGRAM = '@pnpm/exe.here';
const NODE = 'node-here';
const OTHER_INTEGRITY = `sha512-${'A'.repeat(86)}==`;
/** Simulates pnpm's own install script. */
const LEAVE_A_TRACE = "require('node:fs').writeFileSync(require('node:path').join(__dirname, 'was-run'), '')";

/** A registry with packages like the locked ones, and an empty folder and npm cache. */
async function arrange({ isStalled = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-toolchain-'));
  const registry = await startPackageRegistry([
    {
      name: 'pnpm',
      version: '1.0.0',
      bin: { pnpm: 'pnpm' },
      scripts: { preinstall: 'exit 1' },
      optionalDependencies: { [PROGRAM]: '1.0.0', '@pnpm/exe.elsewhere': '1.0.0' },
      files: { pnpm: '#!/bin/sh\n', 'install.js': LEAVE_A_TRACE },
    },
    { name: PROGRAM, version: '1.0.0', ...THIS, files: { pnpm: '' } },
    {
      name: NODE,
      version: '2.0.0',
      ...THIS,
      isStalled,
      // More than npm and its decompression hold back.
      files: { 'bin/node': `#!/bin/sh\nexit 0\n${isStalled ? randomBytes(500_000).toString('hex') : ''}` },
    },
  ]);
  onTestFinished(() => {
    registry.stop();
    rmSync(folder, { recursive: true });
    vi.unstubAllEnvs();
  });
  vi.stubEnv('npm_config_registry', registry.url);
  vi.stubEnv('npm_config_cache', join(folder, 'cache'));
  const locked = (name: string, version: string) => ({ version, integrity: registry.integrityOf(name) });
  const packages: Record<string, LockedPackage> = {
    pnpm: {
      ...locked('pnpm', '1.0.0'),
      bin: { pnpm: 'pnpm' },
      optionalDependencies: { [PROGRAM]: '1.0.0', '@pnpm/exe.elsewhere': '1.0.0' },
    },
    [PROGRAM]: { ...locked(PROGRAM, '1.0.0'), ...THIS, optional: true },
    [NODE]: { ...locked(NODE, '2.0.0'), ...THIS, optional: true },
  };
  return { folder, registry, node: join(folder, 'node_modules', NODE, 'bin', 'node'), packages };
}

const wasRun = (folder: string) => existsSync(join(folder, 'node_modules', 'pnpm', 'was-run'));

describe('the set-up of pnpm and Node', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  it('installs the locked packages, not others that pnpm names, and runs the script of pnpm, but none of npm', async () => {
    const { folder, ...runtime } = await arrange();
    await bringToolchain(runtime, folder);
    const installed = JSON.parse(
      readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages;
    expect(Object.keys(installed)).toEqual([PROGRAM, NODE, 'pnpm'].map((name) => `node_modules/${name}`));
    for (const path of [runtime.node, join(folder, 'node_modules', '.bin', 'pnpm')])
      expect(existsSync(path)).toBe(true);
    expect(wasRun(folder)).toBe(true);
  });

  it.each(['pnpm', PROGRAM, NODE])(
    'fails and runs nothing when %s does not match its integrity',
    async (name) => {
      const { folder, node, packages } = await arrange();
      const tampered = structuredClone(packages);
      for (const [other, entry] of Object.entries(tampered))
        if (other === name) entry.integrity = OTHER_INTEGRITY;
      await expect(bringToolchain({ node, packages: tampered }, folder)).rejects.toThrow(
        `The npm registry sent another pnpm 1.0.0 and ${NODE} 2.0.0 than tooling/setup/toolchain/package-lock.json names (EINTEGRITY). Nothing from it was run.`,
      );
      expect(wasRun(folder)).toBe(false);
    },
  );

  it('leaves what was there while a package arrives, and where it never does', async () => {
    const { folder, registry, node, packages } = await arrange({ isStalled: true });
    vi.stubEnv('npm_config_fetch_retries', '0');
    mkdirSync(dirname(node), { recursive: true });
    writeFileSync(node, 'verified before');
    const bringing = bringToolchain({ node, packages }, folder);
    bringing.catch(() => undefined);
    await expect
      .poll(() => globSync(`**/${NODE}/bin/node`, { cwd: folder }), { timeout: 20_000 })
      .toContainEqual(expect.stringContaining('unverified'));
    expect(readFileSync(node, 'utf8')).toBe('verified before');
    registry.stop();
    await expect(bringing).rejects.toThrow('Could not fetch');
    expect(readFileSync(node, 'utf8')).toBe('verified before');
  }, 30_000);
});
