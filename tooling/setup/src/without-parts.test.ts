import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startPackageRegistry } from '../testing/package-registry.mjs';
import { ALL_PARTS, PARTS, ROOT, TOOLCHAIN } from './workspace.mjs';

/** Stand for everything that the packages of the parts depend on. */
const LARGE = { browser: 'chromium-in-a-package', site: 'builder-of-sites' } as const;
const TOOL = 'tool-of-the-root';

/** A checkout with this set-up, a server that prints a line and ends, and the packages of the parts. */
async function arrange() {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-without-browser-'));
  const registry = await startPackageRegistry([
    ...Object.values(LARGE).map((name) => ({ name, version: '1.0.0', files: {} })),
    { name: TOOL, version: '1.0.0', bin: 'tool.js', files: { 'tool.js': '#!/usr/bin/env node\n' } },
  ]);
  onTestFinished(() => {
    registry.stop();
    rmSync(root, { recursive: true });
  });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const importer = (folder: string, name: string) => [
    `  ${folder}:`,
    '    dependencies:',
    `      ${name}:`,
    '        specifier: 1.0.0',
    '        version: 1.0.0',
  ];
  cpSync(join(ROOT, 'tooling/setup'), join(root, 'tooling/setup'), {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  });
  write('tooling/setup/package.json', JSON.stringify({ name: 'set-up', private: true }));
  write('package.json', JSON.stringify({ private: true, dependencies: { [TOOL]: '1.0.0' } }));
  for (const part of ALL_PARTS) {
    const manifest = { name: part, dependencies: { [LARGE[part]]: '1.0.0' } };
    write(`${PARTS[part]}/package.json`, JSON.stringify(manifest));
  }
  write('apps/server/package.json', JSON.stringify({ name: 'server', private: true }));
  write('apps/server/bin/gatehouse-server.js', 'console.log("the server runs with", ...process.execArgv);\n');
  write('apps/server/bin/node-flags.json', '["--max-semi-space-size=2"]');
  write('tooling/bundle/src/current.cjs', 'exports.bundledProgram = () => undefined;\n');
  write('tooling/bundle/src/main.ts', '');
  write('tooling/lab/README.md', '');
  write('apps/cli/package.json', JSON.stringify({ name: 'cli', private: true }));
  write('apps/cli/bin/gatehouse.js', '');
  write('packages/none/package.json', JSON.stringify({ name: 'none', private: true }));
  write(
    'pnpm-workspace.yaml',
    `packages: ['apps/*', 'packages/*', 'tooling/*']\npmOnFail: ignore\nfetchRetries: 0\nminimumReleaseAge: 0\ncacheDir: ${root}/cache\n`,
  );
  write('.npmrc', `registry=${registry.url}\n`);
  write(
    'pnpm-lock.yaml',
    [
      "lockfileVersion: '9.0'",
      'settings:',
      '  autoInstallPeers: true',
      '  excludeLinksFromLockfile: false',
      'importers:',
      ...importer('.', TOOL),
      '  apps/cli: {}',
      '  apps/server: {}',
      '  packages/none: {}',
      ...importer(PARTS.browser, LARGE.browser),
      '  tooling/setup: {}',
      ...importer(PARTS.site, LARGE.site),
      'packages:',
      ...[...Object.values(LARGE), TOOL].flatMap((name) => [
        `  ${name}@1.0.0:`,
        `    resolution: {integrity: ${registry.integrityOf(name)}}`,
        ...(name === TOOL ? ['    hasBin: true'] : []),
      ]),
      'snapshots:',
      ...Object.values(LARGE).map((name) => `  ${name}@1.0.0: {}`),
      `  ${TOOL}@1.0.0: {}`,
      '',
    ].join('\n'),
  );
  write('gatehouse', '');
  // pnpm and Node; the tests are not about these.
  mkdirSync(join(root, '.toolchain'));
  for (const name of ['fetched', 'node_modules'])
    symlinkSync(join(TOOLCHAIN, name), join(root, '.toolchain', name));
  const env = { ...process.env, XDG_DATA_HOME: join(root, 'data') };
  return {
    registry,
    installedParts: () =>
      ALL_PARTS.filter((part) =>
        existsSync(join(root, PARTS[part], 'node_modules', LARGE[part], 'package.json')),
      ),
    async run(script: string, ...args: readonly string[]) {
      const path = join(root, 'tooling/setup', script);
      const child = spawn(process.execPath, [path, ...args], { cwd: root, env });
      const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
      return { output, installed: output.includes('Installing the locked dependencies') };
    },
  };
}

it('npm start and npm run setup install no part, npm test installs all, and none of them twice', async () => {
  const { registry, installedParts, run } = await arrange();
  expect(await run('start.mjs')).toMatchObject({
    output: expect.stringContaining('the server runs with --max-semi-space-size=2'),
    installed: true,
  });
  expect(installedParts()).toEqual([]);
  expect(await run('setup.mjs')).toMatchObject({
    output: expect.stringContaining('Set up'),
    installed: false,
  });

  // Its checks are not there, and fail.
  expect((await run('test.mjs')).installed).toBe(true);
  expect(installedParts()).toEqual(ALL_PARTS);

  registry.stop();
  for (const [script, ...args] of [
    ['start.mjs'],
    ['setup.mjs', '--browser'],
    ['run.mjs', '--browser', 'apps/server/bin/gatehouse-server.js'],
    ['run.mjs', '--site', 'apps/server/bin/gatehouse-server.js'],
  ] as const) {
    expect((await run(script, ...args)).installed).toBe(false);
  }
  expect(installedParts()).toEqual(ALL_PARTS);
});

it('a part comes alone when it is asked for, and stays when another comes', async () => {
  const { installedParts, run } = await arrange();
  await run('run.mjs', '--site', 'apps/server/bin/gatehouse-server.js');
  expect(installedParts()).toEqual(['site']);
  await run('setup.mjs', '--browser');
  expect(installedParts()).toEqual(ALL_PARTS);
  expect((await run('run.mjs', '--site', 'apps/server/bin/gatehouse-server.js')).installed).toBe(false);
});
