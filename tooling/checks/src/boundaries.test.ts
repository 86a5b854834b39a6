import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NOT_COPIED = /[/\\](node_modules|\.git|\.turbo|\.gatehouse|\.toolchain)$/;

const PLANTED = 'packages/domain/src/planted';

/** Each violation is planted in a copy of the sources, and removed again. */
describe('a violation of the boundaries is caught', () => {
  let copy = '';

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'gatehouse-boundaries-'));
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    run('git', 'init', '--quiet');
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('the unchanged sources have none', () => {
    expect(run('turbo', 'boundaries')).toMatchObject({ status: 0 });
    expect(run('biome', 'lint', 'packages/domain/src')).toMatchObject({ status: 0 });
  });

  test.each([
    ['the domain importing an adapter', 'domain', '@gatehouse/postgres', '@gatehouse/postgres'],
    ['an adapter importing another', 'token-jwt', '@gatehouse/token-paseto', '@gatehouse/token-paseto'],
    ['composition importing an app', 'installation', '@gatehouse/cli', '@gatehouse/cli'],
    [
      'an adapter reaching into another’s files',
      'token-jwt',
      '../../token-paseto/src/index.ts',
      'token-paseto',
    ],
  ])('%s', (_, from, specifier, named) => {
    using _planted = plant({ [`packages/${from}/src/planted.ts`]: `export * from '${specifier}';\n` });
    expect(caughtBy('turbo', 'boundaries')).toContain(named);
  });

  test.each([
    ['adapter', 'token-jwt', 'installation', '@gatehouse/installation'],
    ['adapter', 'token-jwt', 'token-paseto', 'denylist'],
    ['library', 'scram-client', 'installation', '@gatehouse/installation'],
    ['domain', 'domain', 'installation', '@gatehouse/installation'],
  ])('a package of the tag %s, %s, declaring %s as its dependency', (_, from, other, named) => {
    const path = `packages/${from}/package.json`;
    const manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    manifest.dependencies = { ...manifest.dependencies, [`@gatehouse/${other}`]: 'workspace:*' };
    using _planted = plant({ [path]: JSON.stringify(manifest) });
    expect(caughtBy('turbo', 'boundaries')).toContain(named);
  });

  test('Node, the wall clock, randomness and libraries in the domain', () => {
    const sources = {
      'node:fs': "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
      'Time is a port': 'export const planted = new Date();\n',
      'Randomness is a port': 'export const planted = Math.random();\n',
      zod: "import { z } from 'zod';\nexport const planted = z;\n",
      tsyringe: "import { container } from 'tsyringe';\nexport const planted = container;\n",
    };
    const files = Object.values(sources).map((source, index) => [`${PLANTED}${index}.ts`, source]);
    using _planted = plant(Object.fromEntries(files));
    const output = caughtBy('biome', 'lint', 'packages/domain/src');
    for (const [index, named] of Object.keys(sources).entries()) {
      expect(output).toContain(`planted${index}.ts`);
      expect(output).toContain(named);
    }
  });

  test('Node’s globals in the domain, which its compiler does not know', () => {
    using _planted = plant({ [`${PLANTED}.ts`]: 'export const planted = [process.env, crypto, Buffer];\n' });
    expect(caughtBy('tsc', '--noEmit', '-p', 'packages/domain')).toContain("Cannot find name 'process'");
  });

  /** Writes these files, by their paths, until the returned object is disposed of. */
  function plant(files: Readonly<Record<string, string>>): Disposable {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(copy, path), content);
    return {
      [Symbol.dispose]() {
        for (const path of Object.keys(files)) {
          const original = join(ROOT, path);
          if (existsSync(original)) cpSync(original, join(copy, path));
          else rmSync(join(copy, path));
        }
      },
    };
  }

  function caughtBy(tool: string, ...args: readonly string[]): string {
    const { status, output } = run(tool, ...args);
    expect(status, output).toBe(1);
    return output;
  }

  function run(tool: string, ...args: readonly string[]) {
    const path = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
    const env = { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(tool, args, { cwd: copy, env, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  }
});
