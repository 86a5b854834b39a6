import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type CommandBlock, commandBlocksOf } from '@gatehouse/checks/command-blocks';
import { freePorts } from '@gatehouse/test-database/free-ports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelease } from './build-release.ts';
import { PROVENANCE } from './provenance.ts';
import type { Source } from './source.ts';
import { openRoom, type Room } from './trial/room.ts';
import { openDatabase } from './trial/trial-database.ts';
import { tryRelease } from './trial/try-release.ts';
import { until } from './trial/wait.ts';
import { verifyRelease } from './verify-release.ts';

/** A copy of the checkout without git has these tests, too. */
const SOURCE: Source = { commit: '7a8ec809f1ee4d4bb2a8e0e2b9e6b1a5c1d0f3e2', changes: [] };

let folder: string;
let tarballs: readonly string[];
const release = () => join(folder, 'release');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-test-'));
  tarballs = await buildRelease(release(), SOURCE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Unpacks a tarball, and returns the folder of the package. */
function unpack(tarball: string): string {
  const target = join(folder, 'unpacked', basename(tarball));
  if (!existsSync(target)) {
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', target]);
  }
  return join(target, 'package');
}

const jsonIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test('the same commit makes the same bytes', async () => {
  const again = join(folder, 'again');
  await buildRelease(again, SOURCE);
  const files = readdirSync(release());
  expect(readdirSync(again)).toEqual(files);
  for (const file of files)
    expect(readFileSync(join(again, file)).equals(readFileSync(join(release(), file))), file).toBe(true);
  expect(verifyRelease(release())).toEqual([]);
  const { resolvedDependencies } = jsonIn(join(release(), PROVENANCE)).predicate.buildDefinition;
  expect(resolvedDependencies[0]).toEqual({ name: 'source', digest: { gitCommit: SOURCE.commit } });
});

test('each package has its licence, its README and a bill of materials, and no sources', () => {
  expect(tarballs.map((path) => basename(path).replace(/-[\d.]+\.tgz$/, ''))).toEqual([
    'gatehouse',
    'gatehouse-client',
    'gatehouse-domain',
    'gatehouse-extension-kit',
    'gatehouse-verifier',
  ]);
  for (const tarball of tarballs) {
    const unpacked = unpack(tarball);
    for (const file of ['LICENSE', 'README.md', 'sbom.cdx.json'])
      expect(existsSync(join(unpacked, file)), `${file} in ${tarball}`).toBe(true);
    expect(globSync('**/*.{ts,mts}', { cwd: unpacked }).filter((path) => !path.endsWith('.d.ts'))).toEqual(
      [],
    );
    const { name, version, engines, exports } = jsonIn(join(unpacked, 'package.json'));
    expect(jsonIn(join(unpacked, 'sbom.cdx.json')).metadata.component).toMatchObject({ name, version });
    if (name === 'gatehouse') continue;
    expect(engines).toBeDefined();
    for (const { types } of Object.values<{ types: string }>(exports).filter(
      ({ types }) => !types.includes('*'),
    ))
      expect(existsSync(join(unpacked, types)), `${types} in ${tarball}`).toBe(true);
  }
});

test('the bill of materials of the programs has each library whose licence is in the package', () => {
  const unpacked = unpack(tarballs[0] ?? '');
  const licences = readFileSync(join(unpacked, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const titles = Array.from(
    licences.matchAll(/^(?:-{80}\n\n)?(@?[\w./-]+) (\d\S*) \(/gm),
    ([, name, version]) => `${name}@${version}`,
  );
  const components: { name: string; version: string; properties: { value: string }[] }[] = jsonIn(
    join(unpacked, 'sbom.cdx.json'),
  ).components;
  const contained = components.filter(({ properties }) => properties[0]?.value === 'in this package');
  expect(contained.length).toBeGreaterThan(40);
  const ids = contained.map(({ name, version }) => `${name}@${version}`);
  expect(ids.filter((id) => !titles.includes(id))).toEqual([]);
});

test('no package runs a script, depends on a name of ours, or lets a version open', () => {
  for (const tarball of tarballs) {
    const manifest = jsonIn(join(unpack(tarball), 'package.json'));
    expect(manifest.scripts).toBeUndefined();
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = manifest;
    const isOurs = (name: string) => name === 'gatehouse' || name.startsWith('@gatehouse/');
    const brought: [string, string][] = Object.entries({ ...dependencies, ...optionalDependencies });
    for (const [name, version] of brought) {
      expect(isOurs(name), `${name} in ${tarball}`).toBe(false);
      expect(version, `${name} in ${tarball}`).toMatch(/^\d+\.\d+\.\d+/);
    }
    for (const name of Object.keys(peerDependencies).filter(isOurs))
      expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  }
});

test('each package is installed and used on a machine that has Node and nothing of ours', async () => {
  const proved: string[] = [];
  await tryRelease(tarballs, (line) => proved.push(line));
  for (const line of proved.filter((each) => each.startsWith('SKIPPED'))) console.warn(line);
  expect(proved.length).toBeGreaterThanOrEqual(16);
}, 600_000);

const blocks = commandBlocksOf('docs/operate/packages.md');
function block(heading: string, index = 1): CommandBlock {
  return (
    blocks.find(({ name }) => name === `docs/operate/packages.md: ${heading} ${index}`) ??
    expect.fail(heading)
  );
}

/** Runs documented commands in a room, and waits for the server that the last one starts. */
async function follow(room: Room, script: string, stdin = ''): Promise<void> {
  const [port, opsPort] = await freePorts(2);
  const served = script.replace(/^gatehouse-server$/m, 'exec gatehouse-server');
  const env = { PORT: `${port}`, OPS_PORT: `${opsPort}` };
  const server = room.start('bash', ['-ec', served], { env, stdin });
  await until(
    '/ready',
    200,
    async () => (await fetch(`http://127.0.0.1:${opsPort}/ready`)).status,
    120,
  ).catch((error) => expect.fail(`${error}\n${server.output()}`));
  await server.stop();
}

test('the documented installations work, with an own PostgreSQL and with the embedded one', async () => {
  await using room = openRoom(process.execPath);
  for (const file of readdirSync(release())) cpSync(join(release(), file), join(room.folder, file));
  const own = 'With a PostgreSQL of your own';
  await using database = await openDatabase();
  const unattended = block(own)
    .text.replace('postgres://gatehouse:secret@127.0.0.1:5432/gatehouse', `'${database.url}'`)
    .replace(/^gatehouse user create .*$/m, '$& --password-stdin');
  await follow(room, `${block('Install').text}\n${unattended}\n${block(own, 2).text}`, 'seven green teapots');
  const here = block('With the embedded PostgreSQL').text.replace(
    'linux-x64',
    `${process.platform}-${process.arch}`,
  );
  await follow(room, `export PATH="$PWD/node_modules/.bin:$PATH"\n${here}`);
}, 300_000);

test('the documented service starts the file that the package has', () => {
  const [program = ''] = /(?<=node_modules\/gatehouse\/)\S+/.exec(block('As a service').text) ?? [];
  expect(existsSync(join(unpack(tarballs[0] ?? ''), program))).toBe(true);
});
