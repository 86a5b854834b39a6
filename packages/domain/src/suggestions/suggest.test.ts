import { expect, test } from 'vitest';
import { createFakeCredentialSecrets } from '../../testing/fake-credential-secrets.ts';
import {
  givenAccount,
  givenActiveKey,
  givenOrganization,
  givenToken,
  givenUser,
  START,
} from '../../testing/fixtures.ts';
import { createInMemoryRepositories } from '../../testing/in-memory/repositories.ts';
import { IN_PERSON, type Operator, type Principal } from '../access/index.ts';
import { BUILT_IN, createCatalog } from '../resources/index.ts';
import { createServiceCredential } from '../services/manage-service-credentials.ts';
import { addServiceScope } from '../services/manage-service-scopes.ts';
import { createService, deleteService } from '../services/manage-services.ts';
import type { ServiceName } from '../services/service.ts';
import type { TokenId } from '../tokens/token.ts';
import { suggest } from './suggest.ts';

const OPERATOR: Operator = { kind: 'operator', name: 'tester', origin: 'test' };

async function given() {
  const store = createInMemoryRepositories();
  const acme = await givenAccount(store, 'Acme');
  const works = await givenAccount(store, 'Works');
  const ada = await givenUser(store, acme.id, { email: 'Ada@acme.example' });
  const eve = await givenUser(store, works.id, { email: 'eve@works.example' });
  await givenToken(store, ada, { id: '01a00000-0000-7000-8000-000000000001' as TokenId, name: 'a robot' });
  await givenToken(store, eve, { id: '01a00000-0000-7000-8000-000000000002' as TokenId, name: 'a press' });
  const find = suggest({ ...store });
  const asAda: Principal = {
    kind: 'user',
    userId: ada.id,
    accountId: acme.id,
    role: 'admin',
    scopes: IN_PERSON,
    origin: 'test',
  };
  return { store, acme, works, asAda, find };
}

test('a token is suggested by its name, and by its id once that is typed', async () => {
  const { find } = await given();
  expect(await find(OPERATOR, 'token', '')).toMatchObject({
    value: [{ value: 'a press' }, { value: 'a robot' }],
  });
  expect(await find(OPERATOR, 'token', '01a')).toMatchObject({
    value: [
      { value: '01a00000-0000-7000-8000-000000000001', description: 'a robot' },
      { value: '01a00000-0000-7000-8000-000000000002', description: 'a press' },
    ],
  });
});

test('an admin gets suggestions of the account’s tokens and organizations only', async () => {
  const { find, asAda, store, acme, works } = await given();
  expect(await find(asAda, 'token', 'a ')).toMatchObject({ value: [{ value: 'a robot' }] });
  const press = await givenOrganization(store, acme.id);
  await givenOrganization(store, works.id);
  const own = { value: String(press.id), description: press.name };
  expect(await find(asAda, 'organization', '')).toEqual({ ok: true, value: [own] });
  for (const kind of ['user', 'account', 'key', 'service', 'scope', 'credential'] as const) {
    expect(await find(asAda, kind, ''), kind).toEqual({ ok: false, error: { code: 'not_allowed' } });
  }
  expect(await find({ ...asAda, role: 'member' }, 'token', '')).toMatchObject({ ok: false });
});

test('accounts, organizations, users and keys are suggested by their identifiers', async () => {
  const { store, find, acme, works } = await given();
  const press = await givenOrganization(store, acme.id);
  const key = await givenActiveKey(store);
  expect(await find(OPERATOR, 'account', '')).toEqual({
    ok: true,
    value: [acme, works].map(({ id, name }) => ({ value: String(id), description: name })),
  });
  expect(await find(OPERATOR, 'organization', String(press.id))).toMatchObject({
    value: [{ value: String(press.id), description: 'Press shop' }],
  });
  expect(await find(OPERATOR, 'organization', `${press.id}0`)).toMatchObject({ value: [] });
  expect(await find(OPERATOR, 'user', 'Ad')).toMatchObject({ value: [{ value: 'Ada@acme.example' }] });
  expect(await find(OPERATOR, 'key', '')).toMatchObject({
    value: [{ value: key.id, description: 'paseto, active' }],
  });
});

test('services that exist are suggested with their scopes and credentials', async () => {
  const { store, find } = await given();
  const service = 'orders' as ServiceName;
  const ports = {
    ...store,
    catalog: createCatalog(BUILT_IN),
    credentialSecrets: createFakeCredentialSecrets(),
    clock: { now: () => START },
  };
  await createService(ports)(OPERATOR, { name: service, description: 'Sales', openTo: 'all' });
  await addServiceScope(ports)(OPERATOR, { scope: 'orders:read', label: 'Read orders', allows: 'It.' });
  await createServiceCredential(ports)(OPERATOR, { service, expiry: 'never' });
  expect(await find(OPERATOR, 'service', 'o')).toMatchObject({
    value: [{ value: 'orders', description: 'Sales' }],
  });
  expect(await find(OPERATOR, 'scope', '')).toMatchObject({
    value: [{ value: 'orders:read', description: 'Read orders' }],
  });
  expect(await find(OPERATOR, 'credential', '')).toMatchObject({ value: [{ description: 'orders' }] });
  await deleteService(ports)(OPERATOR, service);
  for (const kind of ['service', 'scope', 'credential'] as const)
    expect(await find(OPERATOR, kind, '')).toMatchObject({ value: [] });
});

test('suggestions begin with exactly what was typed', async () => {
  const { find } = await given();
  expect(await find(OPERATOR, 'user', 'aD')).toMatchObject({ value: [] });
});
