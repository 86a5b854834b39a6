import { givenMember, givenOrganization, givenUser } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

async function givenShop() {
  const cli = await givenAda();
  const shop = await givenOrganization(cli.store, cli.acme.id);
  const bo = await givenUser(cli.store, cli.acme.id, { email: 'bo@acme.example', role: 'member' });
  await givenMember(cli.store, shop.id, bo.id);
  return { ...cli, shop, bo, id: String(shop.id) };
}

test('the given fields are changed, and an empty description removes it', async () => {
  const { run, id, shop } = await givenShop();
  const update = (...args: readonly string[]) => run(['org', 'update', id, ...args]);
  const renamed = await update('--name', 'Foundry', '--description', 'Hall 3', '--json');
  expect(renamed).toMatchObject({ status: 0, stderr: `Updated organization "Foundry" (${id}).\n` });
  expect(JSON.parse(renamed.stdout)).toEqual({
    id: shop.id,
    account_id: shop.accountId,
    name: 'Foundry',
    description: 'Hall 3',
    created_at: '2026-01-01T00:00:00.000Z',
  });
  expect(JSON.parse((await update('--description', '', '--json')).stdout)).toMatchObject({
    name: 'Foundry',
    description: null,
  });
  expect(await update('--name', 'Foundry')).toEqual({
    status: 0,
    stdout: '',
    stderr: `Organization "Foundry" (${id}) already has these values; nothing changed.\n`,
  });
});

test('an update without options, to an empty name, or of an unknown organization is refused', async () => {
  const { run, id } = await givenShop();
  const nothing = await run(['org', 'update', id]);
  expect(nothing).toMatchObject({ status: 2, stdout: '' });
  expect(nothing.stderr).toContain('--description');
  expect((await run(['org', 'update', id, '--name', ''])).status).toBe(2);
  expect((await run(['org', 'update', '4711', '--name', 'Foundry'])).status).toBe(3);
});

test('an organization is deleted after a confirmation', async () => {
  const { run, id, shop, store } = await givenShop();
  expect(await run(['org', 'delete', id])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await store.organizations.findById(shop.id)).toEqual(shop);
  const deleted = await run(['org', 'delete', id, '--yes', '--json']);
  expect(deleted).toMatchObject({
    status: 0,
    stderr: `Deleted organization "Press shop" (${id}), which had 1 member.\n`,
  });
  expect(JSON.parse(deleted.stdout)).toMatchObject({ id: shop.id, name: 'Press shop' });
  expect((await run(['org', 'delete', id, '--yes'])).status).toBe(3);
  expect((await run(['org', 'list', '--json'])).stdout).toBe('[]\n');
});

test('a member is removed, and removing again succeeds', async () => {
  const { run, id, shop, bo } = await givenShop();
  const remove = (email: string) => run(['org', 'remove-member', id, email, '--json']);
  const removed = await remove('BO@acme.example');
  expect(removed).toMatchObject({
    status: 0,
    stderr: 'Removed bo@acme.example from "Press shop".\n',
  });
  expect(JSON.parse(removed.stdout)).toEqual({
    organization_id: shop.id,
    user: { id: bo.id, email: 'bo@acme.example' },
    was_member: true,
  });
  const again = await remove('bo@acme.example');
  expect(again).toMatchObject({
    status: 0,
    stderr: 'bo@acme.example is not a member of "Press shop"; nothing changed.\n',
  });
  expect(JSON.parse(again.stdout)).toMatchObject({ was_member: false });
  expect((await remove('nobody@acme.example')).status).toBe(3);
  expect((await run(['org', 'remove-member', '4711', 'bo@acme.example'])).status).toBe(3);
});
