import { givenToken } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { givenAda } from '../../../testing/ada.ts';

test('a scope of an extension that was taken away is shown as one that allows nothing', async () => {
  const { store, ada, run } = await givenAda();
  await givenToken(store, ada, { name: 'ERP', scopes: ['gone:read', 'orgs:read'] });
  const shown = await run(['token', 'show', 'ERP']);
  expect(shown).toMatchObject({
    status: 0,
    stderr: 'These scopes allow nothing, because their extensions are not installed: gone:read.\n',
  });
  expect(shown.stdout).toMatch(/SCOPES +gone:read orgs:read\n/);
  await givenToken(store, ada, { name: 'Wiki', scopes: ['orgs:read'] });
  expect((await run(['token', 'show', 'Wiki'])).stderr).toBe('');
});
