import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allPages, createWorld, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { authenticateToken } from '@gatehouse/domain/tokens';
import { createUseCases, type UseCases } from '@gatehouse/installation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Demo } from './demo-file.ts';
import { findOrMakeDemo } from './open-demo.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const makeIn = (useCases: UseCases) =>
  findOrMakeDemo(useCases, { operator: OPERATOR, format: 'paseto', baseUrl: 'http://x', dataDir });

/** Use cases in a process that is killed after so many changes. */
function killedAfter(changes: number, useCases: UseCases): UseCases {
  let left = changes;
  const dying = Object.entries(useCases).map(([name, useCase]) => [
    name,
    async (...input: readonly never[]) => {
      if (/^(create|add|set|issue|revoke)/.test(name) && left-- === 0) throw new Error('killed');
      return (useCase as (...input: readonly never[]) => unknown)(...input);
    },
  ]);
  return Object.fromEntries(dying);
}

const UNCOUNTED = { used: () => undefined, refused: () => undefined, usedOutside: () => undefined };

type World = Awaited<ReturnType<typeof createWorld>>;

/** Lists the data of the installation, and tries the passwords and the token of the demo. */
async function look(world: World, useCases: UseCases, demo: Awaited<ReturnType<typeof makeIn>>) {
  if (demo === undefined) throw new Error('there is no demo');
  const names = async (pages: AsyncIterable<readonly { readonly name: string }[]>) =>
    (await allPages(pages)).flat().map(({ name }) => name);
  const knows = async ({ email, password }: Demo['admin']) => {
    const found = await world.users.findCredentials(email);
    return unwrap(await world.passwords.verify(password, found?.passwordHash));
  };
  return {
    accounts: await names(unwrap(await useCases.listAccounts(OPERATOR))),
    organizations: await names(unwrap(await useCases.listOrganizations(OPERATOR, {}))),
    passwords: [await knows(demo.admin), await knows(demo.member)],
    token: (await authenticateToken({ ...world, usage: UNCOUNTED })(demo.token, 'test')).kind,
    live: await names(unwrap(await useCases.listTokens(OPERATOR, { kind: 'api', state: 'active' }))),
    files: await readdir(dataDir),
  };
}

const WHOLE = {
  accounts: ['Acme', 'Globex'],
  organizations: ['Press shop', 'Paint shop', 'Final assembly', 'Assembly'],
  passwords: [true, true],
  token: 'user',
  live: ['Demo'],
  files: ['demo.json'],
};

/** The accounts, users, organizations, membership and token of a demo. */
const CHANGES = 10;

test('the demo is made once, and read again', async () => {
  const world = await createWorld();
  const useCases = createUseCases(world);
  const demo = await makeIn(killedAfter(CHANGES, useCases));
  expect(await look(world, useCases, demo)).toEqual(WHOLE);
  expect(await makeIn(killedAfter(0, useCases))).toEqual(demo);
});

test.each(Array.from({ length: CHANGES }, (_, changes) => [changes]))(
  'a start that is killed after %i changes leaves what the next one completes',
  async (changes) => {
    const world = await createWorld();
    const useCases = createUseCases(world);
    await expect(makeIn(killedAfter(changes, useCases))).rejects.toThrow('killed');
    expect(await look(world, useCases, await makeIn(useCases))).toEqual(WHOLE);
  },
);

test('so does one that is killed before it writes demo.json', async () => {
  const world = await createWorld();
  const useCases = createUseCases(world);
  await makeIn(useCases);
  await rm(join(dataDir, 'demo.json'));
  await writeFile(join(dataDir, 'demo.unfinished'), '');
  expect(await look(world, useCases, await makeIn(useCases))).toEqual(WHOLE);
});

test('a database with data is no demo, nor is one whose demo.json was lost', async () => {
  const world = await createWorld();
  const useCases = createUseCases(world);
  await makeIn(useCases);
  await rm(join(dataDir, 'demo.json'));
  expect(await makeIn(killedAfter(0, useCases))).toBeUndefined();
  expect(await readdir(dataDir)).toEqual([]);
});
