import { givenAccount, givenUser } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

test('an organization is created, with or without a description', async () => {
  const { run, acme } = await givenAda();
  const args = ['org', 'create', '--account', String(acme.id), '--name', 'Press shop', '--json'];
  const bare = JSON.parse((await run(args)).stdout);
  const described = JSON.parse((await run([...args, '--description', 'Hall 3'])).stdout);
  expect(bare).toEqual({
    id: expect.any(Number),
    account_id: acme.id,
    name: 'Press shop',
    description: null,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  expect(described.description).toBe('Hall 3');
  expect(JSON.parse((await run(['org', 'list', '--json'])).stdout)).toEqual([bare, described]);
});

test('a user of the account becomes a member, once', async () => {
  const { run, acme, store } = await givenAda();
  await givenUser(store, acme.id, { email: 'bo@acme.example', role: 'member' });
  const id = (
    await run(['org', 'create', '--account', String(acme.id), '--name', 'Press shop'])
  ).stdout.trim();
  const args = ['org', 'add-member', id, 'BO@acme.example'];
  expect(await run(args)).toEqual({
    status: 0,
    stdout: '',
    stderr: 'Added bo@acme.example to "Press shop".\n',
  });
  const again = await run([...args, '--json']);
  expect(again).toMatchObject({
    status: 0,
    stderr: 'bo@acme.example is already a member of "Press shop"; nothing changed.\n',
  });
  expect(JSON.parse(again.stdout)).toEqual({
    organization_id: Number(id),
    user: { id: expect.any(Number), email: 'bo@acme.example' },
    already_member: true,
  });
});

test('users of other accounts do not become members', async () => {
  const { run, acme, store } = await givenAda();
  const other = await givenAccount(store, 'Bolt');
  await givenUser(store, other.id, { email: 'cy@bolt.example' });
  const id = (
    await run(['org', 'create', '--account', String(acme.id), '--name', 'Press shop'])
  ).stdout.trim();
  expect((await run(['org', 'add-member', id, 'cy@bolt.example'])).status).toBe(5);
  expect((await run(['org', 'add-member', id, 'nobody@acme.example'])).status).toBe(3);
  expect((await run(['org', 'add-member', '4711', 'ada@acme.example'])).status).toBe(3);
});
