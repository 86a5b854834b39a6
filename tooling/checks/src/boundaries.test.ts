import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NOT_COPIED = /[/\\](node_modules|\.git|\.turbo|\.gatehouse|\.toolchain)$/;

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

  test('the domain importing an adapter', () => {
    plant('packages/domain/src/planted.ts', "export * from '@gatehouse/postgres';\n");
    expect(caughtBy('turbo', 'boundaries')).toContain('@gatehouse/postgres');
  });

  test('an adapter importing another', () => {
    plant('packages/token-jwt/src/planted.ts', "export * from '@gatehouse/token-paseto';\n");
    expect(caughtBy('turbo', 'boundaries')).toContain('@gatehouse/token-paseto');
  });

  test.each([
    ['adapter', 'token-jwt', 'container'],
    ['library', 'scram-client', 'installation'],
    ['domain', 'domain', 'installation'],
  ])('a package of the tag %s importing composition', (_, from, composition) => {
    const path = `packages/${from}/package.json`;
    const manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    manifest.dependencies = { ...manifest.dependencies, [`@gatehouse/${composition}`]: 'workspace:*' };
    plant(path, JSON.stringify(manifest));
    expect(caughtBy('turbo', 'boundaries')).toContain(`@gatehouse/${composition}`);
  });

  test('composition importing an app', () => {
    plant('packages/installation/src/planted.ts', "export * from '@gatehouse/cli/reference';\n");
    expect(caughtBy('turbo', 'boundaries')).toContain('@gatehouse/cli');
  });

  test('an adapter declaring another as its dependency', () => {
    const path = 'packages/token-jwt/package.json';
    const manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    manifest.dependencies['@gatehouse/token-paseto'] = 'workspace:*';
    plant(path, JSON.stringify(manifest));
    expect(caughtBy('turbo', 'boundaries')).toContain('denylist');
  });

  test('an adapter reaching into another package’s files', () => {
    plant('packages/token-jwt/src/planted.ts', "export * from '../../token-paseto/src/index.ts';\n");
    expect(caughtBy('turbo', 'boundaries')).toContain('token-paseto');
  });

  test.each([
    [
      'a Node module',
      "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
      'node:fs',
    ],
    ['the wall clock', 'export const planted = new Date();\n', 'Time is a port'],
    ['randomness', 'export const planted = Math.random();\n', 'Randomness is a port'],
    ['a library', "import { z } from 'zod';\nexport const planted = z;\n", 'zod'],
    ['tsyringe', "import { container } from 'tsyringe';\nexport const planted = container;\n", 'tsyringe'],
  ])('%s in the domain', (_, source, named) => {
    plant('packages/domain/src/planted.ts', source);
    expect(caughtBy('biome', 'lint', 'packages/domain/src/planted.ts')).toContain(named);
  });

  test('Node’s globals in the domain, which its compiler does not know', () => {
    plant('packages/domain/src/planted.ts', 'export const planted = [process.env, crypto, Buffer];\n');
    expect(caughtBy('tsc', '--noEmit', '-p', 'packages/domain')).toContain("Cannot find name 'process'");
  });

  let restore = () => {};

  function plant(path: string, content: string): void {
    const place = join(copy, path);
    const original = path.endsWith('planted.ts') ? undefined : readFileSync(place);
    writeFileSync(place, content);
    restore = () => (original ? writeFileSync(place, original) : rmSync(place));
  }

  function caughtBy(tool: string, ...args: readonly string[]): string {
    try {
      const { status, output } = run(tool, ...args);
      expect(status, output).toBe(1);
      return output;
    } finally {
      restore();
    }
  }

  function run(tool: string, ...args: readonly string[]) {
    const path = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
    const env = { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(tool, args, { cwd: copy, env, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  }
});
