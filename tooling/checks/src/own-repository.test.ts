import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeOutExtensions } from '@gatehouse/new-resource/product-alone';
import { createTestDatabase } from '@gatehouse/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyExample, copySources, env, run } from './clones.ts';
import { commandBlocksOf } from './documented-commands/command-blocks.ts';
import { locationOf } from './documents.ts';

const PAGE = 'docs/extend/own-repository.md';
const ROOT = fileURLToPath(locationOf('.'));

const blocks = new Map(commandBlocksOf(PAGE).map(({ name, text }) => [name.replace(`${PAGE}: `, ''), text]));

/** Takes a block of the page, each once. */
function block(name: string): string {
  const text = blocks.get(name);
  if (text === undefined) throw new Error(`There is no block "${name}" in ${PAGE} any more`);
  blocks.delete(name);
  return text;
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-own-repository-'));
const [clone, extension] = [join(folder, 'gatehouse'), join(folder, 'tool-loans')];

beforeAll(() => {
  // If root runs the tests, the database runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  copySources(ROOT, clone);
  symlinkSync(join(ROOT, '.toolchain'), join(clone, '.toolchain'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an extension in a repository of its own is built, packed, installed by its path and served, as the page says', async () => {
  run(clone, takeOutExtensions(clone));
  run(clone, 'npm run setup');
  run(clone, block('Pack the kit 1'));
  copyExample(join(ROOT, 'tooling/shift-notes'), join(clone, 'packages/tool-loans'));
  run(clone, block('Move the package out 1'));
  for (const [index, file] of ['package.json', 'tsconfig.json', 'src/domain/tsconfig.json'].entries()) {
    writeFileSync(join(extension, file), block(`Describe it ${index + 1}`));
  }
  run(extension, block('Build it 1'));

  edit('packages/extensions/package.json', '"dependencies": {', (line) => line + block('Install it 1'));
  edit(
    'packages/extensions/src/index.ts',
    'EXTENSIONS: readonly Extension[] = [',
    (list) => `${list}toolLoans`,
  );
  edit('packages/extensions/src/index.ts', 'import ', (first) => block('Install it 2') + first);
  const install = block('Install it 3');
  expect([...blocks.keys()], 'no test runs these blocks').toEqual([]);
  await using database = await createTestDatabase();
  const settings = {
    DATABASE_URL: database.url,
    GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64url'),
  };
  const said = run(clone, `exec 2>&1\n${install.replace('npm start\n', '')}`, settings);
  expect(said).toMatch(/^Applied tool-loans.*0001-init\.$/m);

  // One copy of each: what the extension imports is what the clone runs.
  const required = createRequire(
    realpathSync(join(clone, 'packages/extensions/node_modules/@acme/tool-loans/package.json')),
  );
  const ofKit = createRequire(join(clone, 'packages/extension-kit/package.json'));
  expect(required.resolve('@gatehouse/extension-kit/http')).toBe(
    join(clone, 'packages/extension-kit/src/http/index.ts'),
  );
  expect(required.resolve('@gatehouse/domain')).toBe(join(clone, 'packages/domain/src/index.ts'));
  expect(required.resolve('zod')).toBe(ofKit.resolve('zod'));

  const token = run(
    clone,
    `./gatehouse account create --name Acme >&2
    echo 'a long enough passphrase' |
      ./gatehouse user create --account 1 --email ada@acme.example --name Ada --role admin --password-stdin >&2
    ./gatehouse org create --account 1 --name Foundry >&2
    ./gatehouse key create >&2
    ./gatehouse token create --as ada@acme.example --name Tools --scope tool-loans:read --quiet`,
    settings,
  ).trim();
  await using server = start(settings);
  const url = await server.serving();
  const listed = await fetch(`${url}/api/v1/orgs/1/tool-loans`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect({ status: listed.status, body: await listed.json() }).toEqual({
    status: 200,
    body: { items: [], next_cursor: null },
  });
  const document = await fetch(`${url}/openapi.json`).then((response) => response.json());
  // The repository is named as in the document.
  expect(document).toMatchObject({ components: { schemas: { ToolLoan: {} } } });
});

function edit(path: string, place: string, change: (found: string) => string): void {
  const file = join(clone, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(place);
  writeFileSync(file, text.replace(place, change));
}

/** Starts the server of the clone on a port of its own. */
function start(settings: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-c', 'exec npm start'], {
    cwd: clone,
    env: { ...env, ...settings, PORT: '0', OPS_PORT: '0' },
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  return {
    async serving(): Promise<string> {
      for (;;) {
        const url = /Gatehouse serves (\S+)|"url":"(\S+?)"/.exec(output);
        if (url) return (url[1] ?? url[2]) as string;
        const ended = await Promise.race([
          once(child.stdout, 'data').then(() => false),
          once(child, 'exit').then(() => true),
        ]);
        if (ended) throw new Error(`the server ended: ${output}`);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      process.kill(-(child.pid as number), 'SIGTERM');
      await ended;
    },
  };
}
