import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@gatehouse/build-kit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findNodes } from '../testing/nodes.ts';
import { startStubServer } from '../testing/stub-server.ts';
import { buildVerifier } from './build-verifier.ts';

const run = promisify(execFile);

let folder: string;
let tarball: string;

/** A folder in which the packed verifier is installed, without a network. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-verifier-test-'));
  tarball = buildVerifier(join(folder, 'packed'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STRICTEST = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  // The declarations of the verifier are checked as well.
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(ROOT, 'packages/verifier/node_modules/@types')],
};

const read = (path: string) => readFileSync(join(ROOT, 'packages/verifier', path), 'utf8');
const programs = () =>
  Array.from(read('README.md').matchAll(/```ts\n(.*?)```/gs), ([, program]) => program ?? '');

/** Compiles a program that uses the verifier, and returns the compiler's errors. */
async function compile(name: string, source: string): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), source);
  const config = join(folder, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: STRICTEST, files: [`${name}.ts`] }));
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', config]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}

test('its README has the example of a whole service, in at most 25 lines', () => {
  expect(programs()[0]).toBe(read('examples/orders.ts'));
  expect(read('examples/orders.ts').trimEnd().split('\n').length).toBeLessThanOrEqual(25);
});

test('each program of its README compiles with the strictest settings', async () => {
  expect(programs().length).toBeGreaterThan(1);
  for (const [index, program] of programs().entries())
    expect(await compile(`readme${index}`, program)).toBe('');
});

test('the compiler asks whether the token was accepted', async () => {
  const begin = `import { createVerifier } from '@gatehouse/verifier';
const verifier = createVerifier({ url: 'http://localhost', credential: 'ghs_x' });
const verdict = await verifier.verify('token', { scope: 'orders:read' });
`;
  expect(
    await compile('right', `${begin}if (verdict.ok) verdict.caller.scopes satisfies readonly string[];`),
  ).toBe('');
  expect(await compile('wrong', `${begin}verdict.caller.scopes;`)).toMatch(/error TS/);
  expect(await compile('scopeless', `${begin}await verifier.verify('token', {});`)).toMatch(/error TS/);
});

test.each(findNodes())('installed from its tarball, it runs in Node $major', async ({ path }) => {
  await using gatehouse = await startStubServer();
  expect(await compile('orders', read('examples/orders.ts'))).toBe('');
  const env = { GATEHOUSE_URL: gatehouse.url, GATEHOUSE_CREDENTIAL: 'ghs_stub', PORT: '0' };
  // The example does not tell its port.
  const tellPort = `import { Server } from 'node:http';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  return listen.apply(this, args).on('listening', () => console.log(this.address().port));
};`;
  writeFileSync(join(folder, 'tell-port.js'), tellPort);
  const service = spawn(path, ['--import', './tell-port.js', 'orders.js'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  const [port] = await once(service.stdout, 'data');
  const url = `http://127.0.0.1:${`${port}`.trim()}`;
  const ask = (token: string, method = 'GET') =>
    fetch(url, { method, headers: { authorization: `Bearer ${token}` } });

  expect((await ask(gatehouse.token)).status).toBe(200);
  await expect
    .poll(async () => {
      const before = gatehouse.questions();
      await ask(gatehouse.token);
      return gatehouse.questions() - before;
    })
    .toBe(0);
  const answer = await ask(gatehouse.token);
  expect([answer.status, await answer.json()]).toEqual([200, []]);
  const forbidden = await ask(gatehouse.token, 'POST');
  expect(forbidden.status).toBe(403);
  expect(forbidden.headers.get('www-authenticate')).toContain('insufficient_scope');
  expect((await ask(`${gatehouse.token.slice(0, -4)}AAAA`)).status).toBe(401);
  await expect.poll(() => gatehouse.reportedUses()).toBeGreaterThan(0);
  gatehouse.revoke();
  await expect.poll(async () => (await ask(gatehouse.token)).status).toBe(401);
});

test('it is small, and needs nothing', () => {
  const manifest = JSON.parse(
    readFileSync(join(folder, 'node_modules/@gatehouse/verifier/package.json'), 'utf8'),
  );
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts']) {
    expect(manifest).not.toHaveProperty(kind);
  }
  expect(statSync(tarball).size).toBeLessThan(40_000);
});
