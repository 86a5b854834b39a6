import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anEvent,
  createWorld,
  givenAdmins,
  givenToken,
  inPerson,
  OPERATOR,
  unwrap,
} from '../../testing/index.ts';
import type { AuditAction } from '../audit/index.ts';
import { activateKey, createKey, KEY_DUE_MS } from '../signing-keys/index.ts';
import { addMilliseconds, formatInstant, type Instant } from '../time/index.ts';
import { setTokenFloor, setTokenPolicy } from '../token-policy/index.ts';
import type { Token } from '../tokens/index.ts';
import { updateToken } from '../tokens/index.ts';
import { recordTimeEvents } from './record-time-events.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const TIME_ACTIONS: readonly AuditAction[] = [
  'token.expires_soon',
  'token.expired_in_use',
  'token.unused',
  'token.used_from_new_network',
  'key.due',
  'policy.exceeded',
];

async function arrange(options = { addresses: true }) {
  const world = await createWorld();
  const [ada, bo] = await givenAdmins(world);
  const begun = (await world.audit.list({ limit: 1000 })).length;
  const record = recordTimeEvents(world);
  const inDays = (days: number) => addMilliseconds(world.clock.now(), days * DAY_MS);

  async function round(): Promise<void> {
    while ((await record(options)).more);
  }
  /** Lets days pass, with a round every hour. */
  async function pass(days: number): Promise<void> {
    for (let hours = 0; hours < days * 24; hours += 1) {
      await round();
      world.clock.advance(HOUR_MS);
    }
    await round();
  }
  /** Returns the events of time since the last call, the oldest first. */
  let seen = begun;
  async function news(wanted = TIME_ACTIONS) {
    const all = (await world.audit.list({ limit: 1000 })).map(({ event }) => event);
    const events = all.toReversed().slice(seen);
    seen = all.length;
    return events.filter(({ action }) => wanted.includes(action));
  }
  const token = (parts: Partial<Token> = {}) =>
    givenToken(world, ada, { createdAt: world.clock.now(), ...parts });
  async function use({ id }: Token, from = '192.0.2.7'): Promise<void> {
    world.usage.used(id, world.clock.now(), from);
    await world.usage.flush();
    world.clock.advance(1);
  }
  return { world, ada, bo, inDays, round, pass, news, token, use };
}

test('a token that expires is recorded 30, 7 and 1 days before, once each', async () => {
  const { world, ada, inDays, pass, news, token, use } = await arrange();
  const expiresAt = inDays(40);
  const { id } = await token({ name: 'ERP', expiresAt });
  await pass(9);
  expect(await news()).toEqual([]);
  await pass(2);
  expect(await news()).toEqual([
    {
      at: addMilliseconds(expiresAt, -30 * DAY_MS),
      actor: { kind: 'system' },
      origin: 'gatehouse',
      action: 'token.expires_soon',
      subject: { type: 'token', id },
      accountId: ada.accountId,
      details: { name: 'ERP', expires_at: formatInstant(expiresAt), days: 30, used_lately: false },
    },
  ]);
  await use({ id } as Token);
  await pass(6);
  await use({ id } as Token);
  await pass(20);
  expect((await news()).map(({ details }) => [details.days, details.used_lately])).toEqual([[7, false]]);
  await use({ id } as Token);
  await pass(2.5);
  expect((await news()).map(({ details }) => [details.days, details.used_lately])).toEqual([[1, true]]);
  expect(world.clock.now()).toBeLessThan(expiresAt);
});

test('a time that is there at the creation of the token is not recorded', async () => {
  const { inDays, pass, news, token } = await arrange();
  await token({ expiresAt: inDays(7) });
  await token({ expiresAt: inDays(30) });
  await pass(6.5);
  expect((await news()).map(({ details }) => details.days)).toEqual([1]);
  await pass(17);
  expect((await news()).map(({ details }) => details.days)).toEqual([7]);
});

test('an expiry that is brought forward is recorded again, only with the most urgent time', async () => {
  const { world, ada, inDays, pass, news, token } = await arrange();
  const { id } = await token({ expiresAt: inDays(60) });
  const bringForward = async (days: number) =>
    unwrap(await updateToken(world)(inPerson(ada), { id, expiry: { at: inDays(days) } }));
  const days = async () => (await news()).map(({ details }) => details.days);
  await pass(31);
  expect(await days()).toEqual([30]);
  await bringForward(6);
  await pass(1);
  expect(await days()).toEqual([6]);
  await bringForward(4);
  await pass(1);
  expect(await days()).toEqual([4]);
  await pass(2.5);
  expect(await days()).toEqual([1]);
});

test('a revoked token is not recorded, and a token of a suspended account not until the account is resumed', async () => {
  const { world, ada, bo, inDays, pass, news, token } = await arrange();
  await token({ expiresAt: inDays(40) });
  const revoked = await token({ expiresAt: inDays(40) });
  await world.tokens.revoke(
    revoked.id,
    { at: world.clock.now(), by: { kind: 'user', id: bo.id }, reason: null },
    anEvent(),
  );
  await pass(1);
  await world.accounts.suspend(ada.accountId, world.clock.now(), anEvent());
  await pass(15);
  expect(await news()).toEqual([]);
  await world.accounts.resume(ada.accountId, anEvent());
  await pass(2);
  expect((await news()).map(({ details }) => details.days)).toEqual([23]);
});

test('a token that ends while it is used is recorded once, and an idle one is not', async () => {
  const { inDays, pass, news, token, use } = await arrange();
  const used = await token({ name: 'Used', expiresAt: inDays(8) });
  await token({ name: 'Idle', expiresAt: inDays(8) });
  await pass(2);
  await use(used);
  await pass(20);
  expect((await news()).filter(({ action }) => action === 'token.expired_in_use')).toMatchObject([
    {
      subject: { id: used.id },
      details: { name: 'Used', refused: false, expires_at: formatInstant(used.expiresAt as Instant) },
    },
  ]);
});

test('a token that is refused after its end is recorded once, within 30 days', async () => {
  const { world, inDays, pass, news, token } = await arrange();
  const late = await token({ expiresAt: inDays(1) });
  const tooLate = await token({ expiresAt: inDays(1) });
  const refuse = async ({ id }: Token) => {
    world.usage.refused(id, world.clock.now(), 'expired');
    await world.usage.flush();
  };
  await pass(20);
  await refuse(late);
  await pass(2);
  await refuse(late);
  await pass(10);
  await refuse(tooLate);
  await pass(40);
  expect(await news()).toMatchObject([
    { action: 'token.expired_in_use', subject: { id: late.id }, details: { refused: true } },
  ]);
});

test('an unused token is recorded once for each time without use', async () => {
  const { pass, news, token, use } = await arrange();
  const idle = await token({ name: 'ERP' });
  await pass(89.9);
  expect(await news(['token.unused'])).toEqual([]);
  await pass(100);
  expect(await news(['token.unused'])).toMatchObject([
    { action: 'token.unused', subject: { id: idle.id }, details: { name: 'ERP', last_used_at: null } },
  ]);
  await use(idle);
  await pass(89.9);
  expect(await news(['token.unused'])).toEqual([]);
  await pass(100);
  expect(await news(['token.unused'])).toMatchObject([
    { action: 'token.unused', details: { last_used_at: expect.any(String) } },
  ]);
});

test('a token in use for a week that is used from another network is recorded once for that network', async () => {
  const { ada, round, pass, news, token, use } = await arrange();
  const erp = await token({ name: 'ERP' });
  await use(erp, '192.0.2.7');
  await use(erp, '198.51.100.1');
  await pass(8);
  await use(erp, '198.51.100.99');
  await use(erp, '192.0.2.7');
  await round();
  expect(await news()).toEqual([]);
  await use(erp, '203.0.113.7');
  await round();
  await use(erp, '203.0.113.8');
  await use(erp, '192.0.2.7');
  await round();
  await use(erp, '2001:db8:1:2::7');
  await round();
  await use(erp, '2001:db8:1:3::7');
  await pass(1);
  const found = await news();
  expect(found).toMatchObject([
    { details: { name: 'ERP', network: '203.0.113.0/24' } },
    { details: { network: '2001:db8:1::/48' } },
  ]);
  expect(found[0]).toMatchObject({
    action: 'token.used_from_new_network',
    actor: { kind: 'token', id: erp.id },
    origin: 'gatehouse',
    accountId: ada.accountId,
  });
});

test('a token that is new, and one that changes its network all the time, have no new network', async () => {
  const { pass, news, token, use } = await arrange();
  const erp = await token();
  for (let day = 0; day < 30; day += 1) {
    for (let hour = 0; hour < 5; hour += 1) await use(erp, `10.${day}.${hour}.1`);
    await pass(1);
  }
  expect(await news()).toEqual([]);
});

test('where the addresses of requests are not stored, none is told', async () => {
  const { pass, news, token, use } = await arrange({ addresses: false });
  const erp = await token();
  await use(erp, '192.0.2.7');
  await pass(8);
  await use(erp, '203.0.113.7');
  await pass(1);
  expect(await news()).toEqual([]);
});

test('an active signing key is due once, a year after its activation', async () => {
  const { world, round, news } = await arrange();
  world.clock.advance(KEY_DUE_MS - 1);
  await round();
  expect(await news()).toEqual([]);
  world.clock.advance(1);
  await round();
  await round();
  const due = (await news()).toSorted((one, other) => (one.subject.id < other.subject.id ? -1 : 1));
  const keys = (await world.signingKeys.list()).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(due.map(({ action, subject, accountId }) => [action, subject.id, accountId])).toEqual(
    keys.map(({ id }) => ['key.due', id, null]),
  );
  const key = unwrap(await createKey(world)(OPERATOR, 'paseto'));
  world.clock.advance(HOUR_MS);
  unwrap(await activateKey(world)(OPERATOR, key.id));
  world.clock.advance(KEY_DUE_MS);
  await round();
  expect((await news()).map(({ subject }) => subject.id)).toEqual([key.id]);
});

test('rules that tokens break are recorded once for each change of the rules', async () => {
  const { world, ada, pass, news, token } = await arrange();
  await token();
  await token();
  const set = (changes: Parameters<ReturnType<typeof setTokenPolicy>>[1]['changes']) =>
    setTokenPolicy(world)(OPERATOR, { accountId: ada.accountId, changes });
  unwrap(await set({ person: { maxLifetimeMs: 30 * DAY_MS } }));
  await pass(1);
  expect(await news()).toMatchObject([
    {
      action: 'policy.exceeded',
      actor: { kind: 'system' },
      subject: { type: 'policy', id: String(ada.accountId) },
      accountId: ada.accountId,
      details: { tokens: 2 },
    },
  ]);
  unwrap(await setTokenFloor(world)(OPERATOR, { person: { mustHaveNetworks: true } }));
  await pass(1);
  expect(await news()).toHaveLength(1);
});

test('nothing is recorded while a program of an older edition uses the database, and then all of it', async () => {
  const { world, inDays, pass, round, news, token } = await arrange();
  await token({ expiresAt: inDays(8) });
  const end = world.editions.connectOlder();
  await pass(2);
  expect(await news()).toEqual([]);
  end();
  await round();
  expect((await news()).map(({ action }) => action)).toEqual(['token.expires_soon']);
});

test('clocks that differ or are set back record nothing twice', async () => {
  const jumpsInHours = fc.array(fc.integer({ min: -48, max: 96 }), { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(jumpsInHours, async (jumps) => {
      const { world, inDays, round, news, token } = await arrange();
      const erp = await token({ expiresAt: inDays(45) });
      await token({ expiresAt: null });
      world.usage.used(erp.id, inDays(44));
      for (const [index, hours] of jumps.entries()) {
        world.clock.advance(hours * HOUR_MS);
        // From another address each time, so that the token is looked at in each round.
        world.usage.used(erp.id, world.clock.now(), `192.0.2.${index}`);
        await world.usage.flush();
        await round();
      }
      const keys = (await news()).map(({ action, subject, details: { days, network } }) =>
        JSON.stringify([action, subject, network, days !== undefined && thresholdOf(days)]),
      );
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 50 },
  );
});

/** The time before the expiry that was recorded, of a number of days that are left. */
const thresholdOf = (days: unknown) => [1, 7, 30].find((each) => Number(days) <= each);
