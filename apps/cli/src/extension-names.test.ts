import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { shiftNotes } from '@gatehouse/shift-notes';
import { afterAll, expect, test } from 'vitest';
import { anInstallation } from '../testing/people.ts';
import { runHere } from '../testing/run-here.ts';

const { settings, drop } = await anInstallation();
afterAll(drop);

const resources = { extensions: [shiftNotes], catalog: createCatalog([...BUILT_IN, shiftNotes]) };

test('an extension with the name of a service, even a deleted one, is neither migrated nor used', async () => {
  for (const args of [
    ['create', 'shift-notes', '--open-to', 'all'],
    ['delete', 'shift-notes', '--yes'],
  ])
    expect(await runHere(settings, ['service', ...args])).toMatchObject({ status: 0 });
  for (const args of [['migrate'], ['shift-note', 'list', '1']]) {
    const refused = await runHere(settings, args, { resources });
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^error: the extension shift-notes has the name of a service .* give the extension another name/,
    );
  }
});

test('a service cannot have the name of an extension', async () => {
  const create = ['service', 'create', 'shift-notes', '--open-to', 'all'];
  expect(await runHere(settings, create, { resources })).toMatchObject({ status: 5, stdout: '' });
});
