import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import type { Extension } from '@gatehouse/extension-kit';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test } from 'vitest';
import { runCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aUsedDataFolder } from '../testing/temporary-folder.ts';

const broken: Extension = {
  ...{ ...shiftNotes, name: 'broken', command: { name: 'broken', summary: '' } },
  ...{ scopes: {}, rules: [], actions: {}, refusals: {} },
  postgres: () => Promise.reject(new Error('no module')),
};

// The steps of a team that registers an extension. Other processes do not have it.
const resources = {
  extensions: [shiftNotes, broken],
  catalog: createCatalog([...BUILT_IN, shiftNotes]),
};

test('commands of an extension that was registered just now work on the embedded database, as a server does', async () => {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  const runRegistered = (args: readonly string[]) => runHere(settings, args, { resources });
  await using _postgres = await openEmbeddedPostgres({ dataDir });
  for (const args of [
    ['migrate'],
    ['account', 'create', '--name', 'Acme'],
    ['org', 'create', '--account', '1', '--name', 'Foundry'],
  ]) {
    expect(await runCli(settings, args)).toMatchObject({ status: 0 });
  }
  const complete = ['__complete', 'fish', '--', 'shift-note', 'show', '1', ''];
  expect(await runRegistered(complete)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect((await runRegistered(['migrate', '--drop', 'shift-notes', '--yes'])).status).toBe(3);
  const create = ['shift-note', 'create', '1', '--text', 'Press 4 leaks'];
  expect(await runRegistered(create)).toMatchObject({ status: 0, stdout: '1\n' });
  expect(await runRegistered(complete)).toMatchObject({ stdout: 'words\n1\tPress 4 leaks\n' });
  expect(await runRegistered(create)).toMatchObject({ status: 0, stdout: '2\n' });
  expect(await runRegistered(['broken', 'list', '1'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: The extension broken was not migrated: no module.\n',
  });
});
