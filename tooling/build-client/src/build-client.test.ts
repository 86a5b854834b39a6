import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { ROOT } from '@gatehouse/build-kit';
import { defineRoute } from '@gatehouse/extension-kit/http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { buildClient } from './build-client.ts';

const run = promisify(execFile);

const listShifts = defineRoute({
  operationId: 'listShifts',
  method: 'GET',
  path: '/api/v1/halls/{hall}/shifts',
  tag: 'Shifts',
  summary: 'List the shifts of a hall',
  public: true,
  params: { hall: z.string() },
  query: { limit: z.string().transform(Number).optional().meta({ type: 'integer' }) },
  success: {
    status: 200,
    description: 'They.',
    body: z.array(z.enum(['early', 'late'])),
    cacheControl: 'no-store',
  },
});

let folder: string;
let tarball: string;

/** A folder in which the packed client is installed, without a network. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-test-'));
  const document = createOpenApiDocument('paseto', [...Object.values(ROUTES), listShifts]);
  tarball = buildClient(join(folder, 'packed'), JSON.parse(JSON.stringify(document)));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The oldest Node that the client supports, if this machine has it: Gatehouse installs a newer one. */
const oldest = ['/usr/local/bin/node', '/usr/bin/node'].filter(
  (node) => existsSync(node) && execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith('v20.'),
);
if (oldest.length === 0)
  process.stderr.write('SKIPPED: the packed client was not run by Node 20: there is none here\n');

const STRICTEST = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  // The declarations of the client are checked as well.
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  types: [],
};

/** Compiles a program that uses the client, and returns the compiler's errors. */
async function compile(name: string, source: string): Promise<string> {
  const declared = `declare const process: { readonly env: { readonly [name: string]: string | undefined } };\n`;
  writeFileSync(join(folder, `${name}.ts`), `${source}\n${declared}`);
  const config = join(folder, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: STRICTEST, files: [`${name}.ts`] }));
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', config]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}

const readme = () =>
  /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8'))?.[1] ??
  expect.fail();

test('the program of its README compiles with the strictest settings, and runs', async () => {
  expect(readme().split('\n').length).toBeLessThanOrEqual(22);
  expect(await compile('readme', readme())).toBe('');
  const server = createServer((request, response) => {
    const isKnown = request.url === '/api/v1/orgs/7' && request.headers.authorization === 'Bearer t';
    response.setHeader('content-type', isKnown ? 'application/json' : 'application/problem+json');
    response.statusCode = isKnown ? 200 : 404;
    response.end(JSON.stringify(isKnown ? { id: 7, name: 'Press shop', description: null } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const print = async (node: string, id: string) => {
      const env = { GATEHOUSE_URL: `http://127.0.0.1:${port}`, GATEHOUSE_TOKEN: 't', ORGANIZATION: id };
      return (await run(node, [join(folder, 'readme.js')], { env, cwd: folder })).stdout;
    };
    for (const node of [process.execPath, ...oldest]) {
      expect(await print(node, '7')).toBe('Press shop\n');
      expect(await print(node, '8')).toBe('There is no such organization.\n');
    }
  } finally {
    server.close();
  }
});

test('the compiler asks what happens on each status, and knows the operations of extensions', async () => {
  const begin = `import { createClient } from '@gatehouse/client';
const client = createClient({ baseUrl: 'http://localhost' });
`;
  const listed = `${begin}const answer = await client.listShifts({ hall: 'a', limit: 3 });
if (answer.status === 200) answer.body satisfies readonly ('early' | 'late')[];
export {};`;
  expect(await compile('listed', listed)).toBe('');
  const wrong = {
    'body.name': `${begin}const answer = await client.getOrg(42);\nanswer.body.name;\nexport {};`,
    hall: `${begin}await client.listShifts({});\nexport {};`,
    password: `${begin}await client.signIn({ email: 'a' });\nexport {};`,
    getThing: `${begin}await client.getThing();\nexport {};`,
  };
  const told = await Promise.all(
    Object.values(wrong).map((source, index) => compile(`wrong${index}`, source)),
  );
  for (const text of told) expect(text).toMatch(/error TS/);
});

test('it is small, and needs nothing', () => {
  const manifest = JSON.parse(
    readFileSync(join(folder, 'node_modules/@gatehouse/client/package.json'), 'utf8'),
  );
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts']) {
    expect(manifest).not.toHaveProperty(kind);
  }
  expect(statSync(tarball).size).toBeLessThan(20_000);
});
