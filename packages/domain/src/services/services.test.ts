import { beforeEach, describe, expect, test } from 'vitest';
import { createWorld, givenAccount, OPERATOR, unwrap, type World } from '../../testing/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { err } from '../result.ts';
import { addServiceScope, removeServiceScope } from './manage-service-scopes.ts';
import {
  createService,
  deleteService,
  findService,
  listServices,
  type UpdateServiceInput,
  updateService,
} from './manage-services.ts';
import type { ServiceName } from './service.ts';
import {
  MAX_LISTED_ACCOUNTS,
  MAX_SCOPES_LENGTH,
  MAX_SERVICE_SCOPES,
  type OpenTo,
} from './service-changes.ts';

const ORDERS = 'orders' as ServiceName;
const WORDS = { label: 'Read orders', allows: 'See all orders.' };

describe('services', () => {
  let world: World;
  let acme: AccountId;
  let globex: AccountId;

  beforeEach(async () => {
    world = await createWorld();
    [acme, globex] = [(await givenAccount(world)).id, (await givenAccount(world)).id];
  });

  const create = (parts: { name?: string; openTo?: OpenTo; description?: string | null } = {}) =>
    createService(world)(OPERATOR, { name: ORDERS, openTo: 'all', description: null, ...parts });
  const update = (changes: Omit<UpdateServiceInput, 'name'>) =>
    updateService(world)(OPERATOR, { name: ORDERS, ...changes });
  const add = (scope: string, words = WORDS) => addServiceScope(world)(OPERATOR, { scope, ...words });
  const remove = (scope: `${string}:${string}`) => removeServiceScope(world)(OPERATOR, scope);
  const found = async () => unwrap(await findService(world)(OPERATOR, ORDERS));
  const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;

  test('are created without scopes and credentials, and the event says to whom they are open', async () => {
    unwrap(await create({ openTo: { only: [globex, acme, acme] }, description: 'Order desk' }));
    expect(await found()).toEqual({
      name: ORDERS,
      description: 'Order desk',
      openTo: [acme, globex],
      scopes: [],
      credentials: [],
      createdAt: world.clock.now(),
      deletedAt: null,
    });
    expect(await newestEvent()).toMatchObject({
      action: 'service.created',
      subject: { type: 'service', id: 'orders' },
      accountId: null,
      details: { open_to: [String(acme), String(globex)] },
    });
  });

  test('have a name that no resource and no service has, or had before it was deleted', async () => {
    const taken = err({ code: 'service_name_taken' });
    for (const name of ['orgs', 'tokens', 'services']) expect(await create({ name })).toEqual(taken);
    unwrap(await create());
    expect(await create()).toEqual(taken);
    unwrap(await deleteService(world)(OPERATOR, ORDERS));
    expect(await create()).toEqual(taken);
    for (const name of ['Orders', 'orders:read', ''])
      expect(await create({ name })).toMatchObject({
        error: { code: 'invalid_input', problems: [{ field: 'name' }] },
      });
  });

  test('are not found once they are deleted, by any command', async () => {
    unwrap(await create());
    unwrap(await add('orders:read'));
    unwrap(await deleteService(world)(OPERATOR, ORDERS));
    const notFound = err({ code: 'service_not_found' });
    expect(await findService(world)(OPERATOR, ORDERS)).toEqual(notFound);
    expect(await deleteService(world)(OPERATOR, ORDERS)).toEqual(notFound);
    expect(await update({ description: 'x' })).toEqual(notFound);
    expect(await add('orders:write')).toEqual(notFound);
    expect(await remove('orders:read')).toEqual(notFound);
    expect(unwrap(await listServices(world)(OPERATOR))).toEqual([]);
  });

  type Accounts = readonly [acme: AccountId, globex: AccountId];

  test.each<[string, (ids: Accounts) => OpenTo, (ids: Accounts) => OpenTo, (ids: Accounts) => unknown]>([
    ['all accounts', () => ({ only: [] }), () => 'all', () => 'all'],
    ['one more account', ([acme]) => ({ only: [acme] }), ([, globex]) => ({ also: [globex] }), (ids) => ids],
    [
      'one account less',
      (ids) => ({ only: ids }),
      ([acme]) => ({ without: [acme] }),
      ([, globex]) => [globex],
    ],
    ['exactly these', () => 'all', ([, globex]) => ({ only: [globex] }), ([, globex]) => [globex]],
  ])('are opened to %s', async (_, before, after, expected) => {
    const ids = [acme, globex] as const;
    unwrap(await create({ openTo: before(ids) }));
    const updated = unwrap(await update({ openTo: after(ids) }));
    expect(updated.after.openTo).toEqual(expected(ids));
    expect((await newestEvent())?.details).toHaveProperty('formerly_open_to');
    const again = unwrap(await update({ openTo: after(ids) }));
    expect(again.after).toBe(again.before);
  });

  test('cannot be opened to unknown or too many accounts, or closed to one while open to all', async () => {
    unwrap(await create());
    const unknown = 999_999 as AccountId;
    expect(await update({ openTo: { only: [unknown] } })).toEqual(err({ code: 'account_not_found' }));
    const many = Array.from({ length: MAX_LISTED_ACCOUNTS + 1 }, (_, index) => (index + 1) as AccountId);
    const invalid = { error: { problems: [{ field: 'accounts' }] } };
    expect(await update({ openTo: { only: many } })).toMatchObject(invalid);
    expect(await update({ openTo: { without: [acme] } })).toMatchObject(invalid);
    expect((await found()).openTo).toBe('all');
  });

  test('get a description, which an empty text removes', async () => {
    unwrap(await create());
    unwrap(await update({ description: 'Order desk' }));
    expect(await newestEvent()).toMatchObject({
      action: 'service.updated',
      details: { description: 'Order desk' },
    });
    unwrap(await update({ description: '' }));
    expect((await found()).description).toBeNull();
  });

  test('get scopes, whose names are never used again', async () => {
    unwrap(await create());
    unwrap(await add('orders:read'));
    expect(await newestEvent()).toMatchObject({
      action: 'service.scope_added',
      details: { scope: 'orders:read' },
    });
    const taken = err({ code: 'service_scope_taken' });
    expect(await add('orders:read')).toEqual(taken);
    unwrap(await remove('orders:read'));
    expect(await newestEvent()).toMatchObject({ action: 'service.scope_removed' });
    expect(await add('orders:read')).toEqual(taken);
    expect((await found()).scopes).toEqual([{ name: 'orders:read', ...WORDS, removedAt: world.clock.now() }]);
    const again = unwrap(await remove('orders:read'));
    expect(again.after).toBe(again.before);
    expect(await remove('orders:write')).toEqual(err({ code: 'service_scope_not_found' }));
  });

  test('have scopes with words, and not more than servers keep in memory', async () => {
    unwrap(await create());
    for (const [field, scope, words] of [
      ['scope', 'orders', WORDS],
      ['scope', 'orders:*', WORDS],
      ['label', 'orders:read', { ...WORDS, label: '' }],
      ['allows', 'orders:read', { ...WORDS, allows: ' ' }],
      ['allows', 'orders:read', { ...WORDS, allows: 'x'.repeat(2001) }],
    ] as const)
      expect(await add(scope, words)).toMatchObject({ error: { problems: [{ field }] } });
    for (let count = 1; count <= MAX_SERVICE_SCOPES; count += 1) unwrap(await add(`orders:scope-${count}`));
    expect(await add('orders:more')).toMatchObject({ error: { problems: [{ field: 'scope' }] } });
    expect(await add('stock:read')).toEqual(err({ code: 'service_not_found' }));
  });

  test('have scopes whose names fit in one header, and a removed one leaves room for another', async () => {
    unwrap(await create());
    const long = (index: number) => `orders:${String(index).padStart(40, 'x')}` as const;
    const fitting = Math.floor((MAX_SCOPES_LENGTH + 1) / (long(0).length + 1));
    for (let index = 0; index < fitting; index += 1) unwrap(await add(long(index)));
    expect(await add(long(fitting))).toMatchObject({ error: { problems: [{ field: 'scope' }] } });
    unwrap(await remove(long(0)));
    expect(await add(long(fitting))).toMatchObject({ ok: true });
  });
});
