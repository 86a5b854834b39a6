import { givenService, givenToken, START } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { givenAda } from '../../../testing/ada.ts';

test('a scope of an extension that was taken away is shown as one that allows nothing', async () => {
  const { store, ada, run } = await givenAda();
  await givenToken(store, ada, { name: 'ERP', scopes: ['gone:read', 'orgs:read'] });
  const shown = await run(['token', 'show', 'ERP']);
  expect(shown).toMatchObject({
    status: 0,
    stderr:
      'These scopes allow nothing: gone:read. Their extensions are not installed, or their services no longer have them or are not open to the account.\n',
  });
  expect(shown.stdout).toMatch(/SCOPES +gone:read orgs:read\n/);
  await givenToken(store, ada, { name: 'Wiki', scopes: ['orgs:read'] });
  expect((await run(['token', 'show', 'Wiki'])).stderr).toBe('');
});

test('the services at which a token was used are shown, with the time and the client’s address', async () => {
  const { store, ada, run } = await givenAda();
  const { name } = await givenService(store);
  const { id } = await givenToken(store, ada, { name: 'Orders' });
  store.usage.used(id, START, undefined, { name, from: '10.0.0.5' });
  await store.usage.flush();
  const shown = await run(['token', 'show', 'Orders']);
  expect(shown.stdout).toMatch(/USED AT SERVICE +LAST +FROM\n/);
  expect(shown.stdout).toMatch(new RegExp(`${name} +just now +10\\.0\\.0\\.5\\n`));
  const json = await run(['token', 'show', 'Orders', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    used_at_services: [{ service: name, last_at: expect.any(String), from: '10.0.0.5', reported: false }],
  });
});

test('uses and refusals that a service reports are named as reported by it', async () => {
  const { store, ada, run } = await givenAda();
  const { name } = await givenService(store);
  const { id } = await givenToken(store, ada, { name: 'Orders' });
  const entry = { token: id, count: 1, lastAt: START };
  await store.usageReports.store(name, { uses: [entry], refusals: [{ ...entry, reason: 'expired' }] });
  const { stdout } = await run(['token', 'show', 'Orders']);
  expect(stdout).toMatch(new RegExp(`${name} +just now \\(reported by ${name}\\) +-\\n`));
  expect(stdout).toMatch(new RegExp(`LAST REFUSED +just now \\(reported by ${name}\\): expired\\n`));
  expect(stdout).toContain(`was refused just now (reported by ${name}): expired.`);
  const json = await run(['token', 'show', 'Orders', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    last_refused_by: name,
    used_at_services: [{ service: name, reported: true }],
  });
});
