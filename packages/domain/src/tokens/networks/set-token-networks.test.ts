import { beforeEach, describe, expect, test } from 'vitest';
import {
  apiToken,
  createWorldWithAdmins,
  givenPerson,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { User } from '../../users/user.ts';
import { issueToken } from '../issuing/issue-token.ts';
import { rotateToken } from '../rotation/rotate-token.ts';
import type { TokenId } from '../token.ts';
import { setTokenNetworks } from './set-token-networks.ts';
import { showTokenNetworks } from './show-token-networks.ts';
import { type NetworksInput, networkTexts } from './token-networks.ts';

const OFFICE = { mode: 'enforced', list: ['203.0.113.0/24'] } as const;

let world: World;
let ada: User;
let eve: User;
let id: TokenId;

beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
  ({ id } = (await apiToken(world, ada)).record);
});

const set = (networks: NetworksInput | null, by = ada) =>
  setTokenNetworks(world)(inPerson(by), { id, networks });
const networksNow = async (of = id) => (await world.tokens.findRecord(of))?.networks;
const newest = async () => (await world.audit.list({ limit: 1 }))[0]?.event;

test('an admin sets and removes the networks of a token of the account, and the event has both', async () => {
  await set(OFFICE);
  expect(await newest()).toMatchObject({
    action: 'token.networks_set',
    actor: { kind: 'user', id: ada.id },
    details: {
      networks_mode: 'enforced',
      networks: OFFICE.list,
      former_networks_mode: 'off',
      former_networks: [],
    },
  });
  await set({ mode: 'report-only', list: ['10.0.0.0/8'] });
  expect(await newest()).toMatchObject({
    details: { networks_mode: 'report-only', former_networks_mode: 'enforced', former_networks: OFFICE.list },
  });
  await set(null);
  expect(await newest()).toMatchObject({ details: { networks_mode: 'off', networks: [] } });
  expect(await networksNow()).toBeNull();
});

test('no one else sets them: not another account’s admin, a member, an operator, or the token itself', async () => {
  const ben = await givenPerson(world, {
    accountId: ada.accountId,
    email: 'ben@acme.example',
    role: 'member',
  });
  expect(await set(OFFICE, eve)).toEqual(err({ code: 'token_not_found' }));
  expect(await set(OFFICE, ben)).toEqual(err({ code: 'not_allowed' }));
  const byToken = { ...inPerson(ada), scopes: ['*' as const] };
  for (const caller of [OPERATOR as never, byToken])
    expect(await setTokenNetworks(world)(caller, { id, networks: OFFICE })).toEqual(
      err({ code: 'not_allowed' }),
    );
  expect(await networksNow()).toBeNull();
});

describe('while a program of an older edition is connected,', () => {
  const refused = err({
    code: 'older_edition_serves',
    programs: [{ application: 'gatehouse', connections: 1 }],
  });

  test('no networks are set, not even report-only, but they are removed', async () => {
    await set(OFFICE);
    const end = world.editions.connectOlder();
    expect(await set({ mode: 'report-only', list: ['10.0.0.0/8'] })).toEqual(refused);
    expect(networkTexts((await networksNow()) ?? expect.fail())).toEqual(OFFICE.list);
    expect((await set(null)).ok).toBe(true);
    expect(await set(OFFICE)).toEqual(refused);
    end();
    expect((await set(OFFICE)).ok).toBe(true);
  });

  test('no token is issued with networks', async () => {
    world.editions.connectOlder();
    const input = { name: 'Wiki', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
    expect(await issueToken(world)(inPerson(ada), { ...input, networks: OFFICE })).toEqual(refused);
    expect((await issueToken(world)(inPerson(ada), input)).ok).toBe(true);
  });
});

test('a token is issued with networks, and its event has them', async () => {
  const input = { name: 'Wiki', format: 'paseto', scopes: ['*'], expiry: 'never', networks: OFFICE } as const;
  const { record } = unwrap(await issueToken(world)(inPerson(ada), input));
  expect(networkTexts((await networksNow(record.id)) ?? expect.fail())).toEqual(OFFICE.list);
  expect(await newest()).toMatchObject({
    action: 'token.created',
    details: { networks_mode: 'enforced', networks: OFFICE.list },
  });
});

test('a rotation keeps the networks', async () => {
  await set(OFFICE);
  const { record } = unwrap(await rotateToken(world)(inPerson(ada), { id, graceMs: 0 }));
  expect(await networksNow(record.id)).toEqual(await networksNow());
});

test('networks are proposed from the addresses of use: wide ones for addresses that are close', async () => {
  for (const from of ['203.0.113.7', '203.0.113.9', '198.51.100.1', '2001:db8:1:1::1', '2001:db8:1:2::1'])
    world.usage.used(id, START, from);
  await set({ mode: 'report-only', list: ['203.0.113.0/24'] });
  world.usage.usedOutside(id, START, '198.51.100.1');
  const shown = unwrap(await showTokenNetworks(world)(inPerson(ada), id));
  expect(shown.proposed.networks.map(({ network, addresses }) => [network.cidr, addresses.length])).toEqual([
    ['198.51.100.1/32', 1],
    ['2001:db8:1::/48', 2],
    ['203.0.113.0/24', 2],
  ]);
  expect(shown.proposed.mayLackAddresses).toBe(true);
  expect(shown.reported).toMatchObject([{ address: '198.51.100.1', times: 1 }]);
  expect(await showTokenNetworks(world)(inPerson(eve), id)).toEqual(err({ code: 'token_not_found' }));
});
