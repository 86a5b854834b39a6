import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  apiToken,
  createWorldWithAdmins,
  inPerson,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { authorize, READ_ME } from '../../access/index.ts';
import type { User } from '../../users/user.ts';
import { revokeToken } from '../administration/revoke-token.ts';
import { authenticateToken, authenticateUnrecorded } from '../authentication/authenticate-token.ts';
import { inspectToken } from '../authentication/inspect-token.ts';
import type { MintedToken } from '../issuing/mint-token.ts';
import { setTokenNetworks } from './set-token-networks.ts';
import type { NetworkMode } from './token-networks.ts';

const INSIDE = '203.0.113.7';
const OUTSIDE = '198.51.100.7';

let world: World;
let ada: User;
let token: MintedToken;

beforeEach(async () => {
  ({ world, ada } = await createWorldWithAdmins());
  token = await apiToken(world, ada);
});

const limit = (mode: NetworkMode) =>
  setTokenNetworks(world)(inPerson(ada), {
    id: token.record.id,
    networks: { mode, list: ['203.0.113.0/24', '2001:db8::/32'] },
  });
const authenticate = async (from: string) => authenticateToken(world)(token.secret, from);
const usage = () => world.tokens.findUsage(token.record.id);

describe('enforced networks', () => {
  beforeEach(() => limit('enforced'));

  test.each([INSIDE, `::ffff:${INSIDE}`, '2001:db8::1', '2001:db8::1%eth0'])('let %s pass', async (from) => {
    expect(await authenticate(from)).toMatchObject({ kind: 'user' });
    expect((await usage()).lastUsedAt).toBe(START);
  });

  test.each([OUTSIDE, `::ffff:${OUTSIDE}`, '2001:db9::1', '', 'unknown', 'localhost', '/run/app.sock'])(
    'refuse %j, and every use case denies the caller for that reason',
    async (from) => {
      const caller = await authenticate(from);
      expect(caller).toEqual({ kind: 'refused', reason: 'network_not_allowed' });
      expect(authorize(caller, READ_ME)).toEqual({ ok: false, error: { code: 'network_not_allowed' } });
      expect((await usage()).lastUsedAt).toBeNull();
    },
  );

  test('record the refusal with its address', async () => {
    await authenticate(OUTSIDE);
    expect((await usage()).refusedFrom).toMatchObject([
      { address: OUTSIDE, reason: 'network_not_allowed', times: 1 },
    ]);
    await authenticateUnrecorded(world)(token.secret, OUTSIDE);
    expect((await usage()).refusedFrom).toMatchObject([{ times: 2 }]);
  });

  test('are decided last, so that a token that has ended is refused for that', async () => {
    unwrap(await revokeToken(world)(inPerson(ada), { id: token.record.id, reason: null }));
    expect(await authenticate(OUTSIDE)).toMatchObject({ reason: 'revoked' });
  });

  test('are not checked by an inspection without a client, which says so', async () => {
    const inspect = async (from?: string) =>
      unwrap(await inspectToken(world)(inPerson(ada), { text: token.secret, from }));
    expect(await inspect()).toMatchObject({ accepted: true });
    expect((await inspect()).steps.at(-1)).toEqual({ step: 'network', outcome: 'not_checked' });
    expect(await inspect(INSIDE)).toMatchObject({ accepted: true });
    expect(await inspect(OUTSIDE)).toMatchObject({ accepted: false, reason: 'network_not_allowed' });
  });
});

test('report-only networks accept a client from elsewhere, and record it as a use and as a report', async () => {
  await limit('report-only');
  expect(await authenticate(INSIDE)).toMatchObject({ kind: 'user' });
  expect(await authenticate(OUTSIDE)).toMatchObject({ kind: 'user', isOutside: true });
  expect((await usage()).refusedFrom).toEqual([]);
  expect((await usage()).usedFrom).toHaveLength(2);
  expect((await world.tokens.findUsage(token.record.id)).reportedFrom).toMatchObject([
    { address: OUTSIDE, times: 1 },
  ]);
});

test('a token without networks is accepted from everywhere, and no address is parsed', async () => {
  const usedOutside = vi.spyOn(world.usage, 'usedOutside');
  expect(await authenticate('unknown')).not.toHaveProperty('isOutside');
  expect(await authenticate('unknown')).toMatchObject({ kind: 'user' });
  expect(usedOutside).not.toHaveBeenCalled();
});
