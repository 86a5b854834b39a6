import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { expect, test, vi } from 'vitest';
import { runCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aUsedDataFolder } from '../testing/temporary-folder.ts';

// What a team does that registers an extension. Other processes do not have it.
vi.mock('@gatehouse/extensions', async () => {
  const { BUILT_IN, createCatalog } = await import('@gatehouse/domain/resources');
  const { shiftNotes } = await import('@gatehouse/shift-notes');
  const broken = {
    ...{ ...shiftNotes, name: 'broken', command: { name: 'broken', summary: '' } },
    ...{ scopes: {}, rules: [], actions: {}, refusals: {} },
    postgres: () => Promise.reject(new Error('no module')),
  };
  return { EXTENSIONS: [shiftNotes, broken], CATALOG: createCatalog([...BUILT_IN, shiftNotes]) };
});

test('commands of an extension that was registered just now work on the embedded database, as a server does', async () => {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  await using _postgres = await openEmbeddedPostgres({ dataDir });
  for (const args of [
    ['migrate'],
    ['account', 'create', '--name', 'Acme'],
    ['org', 'create', '--account', '1', '--name', 'Foundry'],
  ]) {
    expect(await runCli(settings, args)).toMatchObject({ status: 0 });
  }
  const complete = ['__complete', 'fish', '--', 'shift-note', 'show', '1', ''];
  // Nothing is offered, with or without the line that says so.
  const nothing = expect.stringMatching(/^(?:words\n)?$/);
  expect(await runHere(settings, complete)).toEqual({ status: 0, stdout: nothing, stderr: '' });
  expect((await runHere(settings, ['migrate', '--drop', 'shift-notes', '--yes'])).status).toBe(3);
  const create = ['shift-note', 'create', '1', '--text', 'Press 4 leaks'];
  expect(await runHere(settings, create)).toMatchObject({ status: 0, stdout: '1\n' });
  expect(await runHere(settings, complete)).toMatchObject({ stdout: 'words\n1\tPress 4 leaks\n' });
  expect(await runHere(settings, create)).toMatchObject({ status: 0, stdout: '2\n' });
  expect(await runHere(settings, ['broken', 'list', '1'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: The extension broken was not migrated: no module.\n',
  });
});
