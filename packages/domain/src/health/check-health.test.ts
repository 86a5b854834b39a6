import { beforeEach, describe, expect, test } from 'vitest';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  createFakeKeyEncryption,
  createInMemoryChangeFeedProbe,
  createInMemoryStoreProbe,
  createWorld,
  givenAccount,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  START,
  type World,
} from '../../testing/index.ts';
import {
  type Account,
  type CheckHealthPorts,
  checkHealth,
  databaseUnreachable,
  err,
  type Finding,
  findingsOf,
  HEALTH_CHECKS,
  type HealthCheck,
  type HealthReport,
  type Instant,
  later,
  ok,
  refused,
  UnavailableFault,
  type UsageRecorderLag,
  type User,
} from '../index.ts';

const DAY = 86_400_000;
const NOW = later(START, 200 * DAY);

describe('checkHealth', () => {
  let world: World;
  let account: Account;
  let ada: User;

  beforeEach(async () => {
    world = await createWorld();
    account = await givenAccount(world);
    ada = await givenUser(world, account.id);
    world.clock.set(NOW);
  });

  /** A sound installation, but for what a test replaces. */
  const check = async (parts: Partial<CheckHealthPorts> = {}): Promise<HealthReport> => {
    const report = await checkHealth({
      ...world,
      storeProbe: createInMemoryStoreProbe(world.clock),
      changeFeedProbe: createInMemoryChangeFeedProbe(),
      usageRecorders: { list: async () => [] },
      findMasterKey: async () => ok(world.encryption),
      ...parts,
    })(OPERATOR);
    return report.ok ? report.value : expect.fail(report.error.code);
  };
  const findings = async (parts: Partial<CheckHealthPorts> = {}) => findingsOf(await check(parts));
  const outcomeOf = (report: HealthReport, wanted: HealthCheck) => {
    const { check, ...outcome } = report.find((each) => each.check === wanted) ?? expect.fail(wanted);
    return outcome;
  };
  const skipped = (report: HealthReport) =>
    report.flatMap((each) => (each.status === 'skipped' ? [`${each.check} ${each.because}`] : []));
  const unavailable = async (): Promise<never> => {
    throw new UnavailableFault('the database cannot be reached: ECONNREFUSED');
  };

  test('only the operator asks', async () => {
    const ask = checkHealth({
      ...world,
      storeProbe: { now: unavailable, schemaState: unavailable },
      changeFeedProbe: createInMemoryChangeFeedProbe(),
      usageRecorders: { list: unavailable },
      findMasterKey: unavailable,
    });
    expect(await ask(inPerson(ada))).toEqual(err({ code: 'not_allowed' }));
    expect(await ask(refused('expired'))).toEqual(err({ code: 'token_not_accepted' }));
  });

  test('where all is well, every check passes, and nothing is found', async () => {
    await givenToken(world, ada, { createdAt: NOW, expiresAt: later(NOW, DAY) });
    const report = await check();
    expect(report.map((each) => [each.check, each.status])).toEqual(
      HEALTH_CHECKS.map((name) => [name, 'passed']),
    );
    expect(findingsOf(report)).toEqual([]);
  });

  describe('the database', () => {
    test('that cannot be reached is found, and nothing else is looked at', async () => {
      const reason = 'the database cannot be reached: ECONNREFUSED';
      const report = await check({ storeProbe: { now: unavailable, schemaState: unavailable } });
      expect(report).toEqual(databaseUnreachable(reason));
      expect(findingsOf(report)).toEqual([{ code: 'database_unreachable', reason }]);
      expect(skipped(report)).toHaveLength(HEALTH_CHECKS.length - 1);
    });

    test('that goes away in the middle ends the checks there', async () => {
      const report = await check({ tokens: { count: unavailable } });
      expect(outcomeOf(report, 'unused_tokens')).toMatchObject({
        status: 'failed',
        findings: [{ code: 'database_unreachable' }],
      });
      expect(skipped(report)).toEqual([
        'never_expiring_tokens database_unreachable',
        'inactive_creators database_unreachable',
        'usage database_unreachable',
      ]);
    });

    test.each(['behind', 'ahead'] as const)(
      'whose schema is %s is found, and its tables are not looked at',
      async (state) => {
        const report = await check({
          storeProbe: createInMemoryStoreProbe(world.clock, state),
          changeFeedProbe: createInMemoryChangeFeedProbe({ trusted: false, reason: 'deaf' }),
        });
        expect(findingsOf(report).map(({ code }) => code)).toEqual([
          `schema_${state}`,
          'change_feed_untrusted',
        ]);
        expect(skipped(report)).toEqual([
          'signing_keys schema_not_current',
          'master_key schema_not_current',
          'unused_tokens schema_not_current',
          'never_expiring_tokens schema_not_current',
          'inactive_creators schema_not_current',
          'usage schema_not_current',
        ]);
      },
    );

    test('that refuses a check is a finding of that check, and the others go on', async () => {
      const count = async () => {
        throw new Error('permission denied for table tokens');
      };
      const report = await check({ tokens: { count } });
      const failed = (name: HealthCheck) => ({
        code: 'check_failed',
        check: name,
        reason: 'permission denied for table tokens',
      });
      expect(findingsOf(report)).toEqual([
        failed('unused_tokens'),
        failed('never_expiring_tokens'),
        failed('inactive_creators'),
      ]);
      expect(outcomeOf(report, 'usage').status).toBe('passed');
    });
  });

  test('a change feed that is not trusted is found, with the reason', async () => {
    const changeFeedProbe = createInMemoryChangeFeedProbe({
      trusted: false,
      reason: 'it leads to a standby',
    });
    expect(await findings({ changeFeedProbe })).toEqual([
      { code: 'change_feed_untrusted', reason: 'it leads to a standby' },
    ]);
  });

  describe('the clock', () => {
    /** A database whose clock is so far behind, and so far away. */
    const storeAt = (behindMs: number, ways: readonly (readonly [there: number, back: number])[]) => {
      let asked = 0;
      return {
        schemaState: async () => 'current' as const,
        async now() {
          // The first question only asks whether anybody is there.
          const [there, back] = ways[Math.max(0, asked - 1) % ways.length] ?? [0, 0];
          asked += 1;
          world.clock.advance(there);
          const theirs = later(world.clock.now(), -behindMs);
          world.clock.advance(back);
          return theirs;
        },
      };
    };

    test.each([
      [1000, []],
      [-1000, []],
      [1001, [{ code: 'clock_skewed', skewMs: 1001 }]],
      [-1001, [{ code: 'clock_skewed', skewMs: -1001 }]],
      [-3_600_000, [{ code: 'clock_skewed', skewMs: -3_600_000 }]],
    ])('%i ms ahead of the database: %j', async (skew, found) => {
      expect(await findings({ storeProbe: storeAt(skew, [[0, 0]]) })).toEqual(found);
    });

    test('is read half way, and what the way may account for is no skew', async () => {
      expect(await findings({ storeProbe: storeAt(1500, [[400, 400]]) })).toEqual([
        { code: 'clock_skewed', skewMs: 1500 },
      ]);
      expect(await findings({ storeProbe: storeAt(1300, [[400, 400]]) })).toEqual([]);
      expect(await findings({ storeProbe: storeAt(0, [[5000, 0]]) })).toEqual([]);
      expect(await findings({ storeProbe: storeAt(0, [[0, 5000]]) })).toEqual([]);
    });

    test('is judged by the quickest answer', async () => {
      const ways = [
        [900, 900],
        [10, 10],
        [900, 0],
      ] as const;
      expect(await findings({ storeProbe: storeAt(1200, ways) })).toEqual([
        { code: 'clock_skewed', skewMs: 1200 },
      ]);
    });
  });

  describe('the signing keys', () => {
    const retireAll = async () => {
      for (const { id, state, format } of await world.signingKeys.list()) {
        if (state !== 'active') continue;
        const next = aSigningKey({ format, createdAt: NOW });
        await world.signingKeys.insert(next, anEvent());
        await world.signingKeys.activate(next.id, NOW, anEvent());
        await world.signingKeys.retire(id, NOW, aRevocation(), anEvent());
      }
    };
    const only = (reports: readonly Finding[], code: Finding['code']) =>
      reports.filter((finding) => finding.code === code);

    test('of which none is active are found by their format', async () => {
      const signingKeys = { list: async () => [], countLiveTokens: async () => new Map() };
      expect(await findings({ signingKeys })).toEqual([
        { code: 'no_active_key', format: 'paseto' },
        { code: 'no_active_key', format: 'jwt' },
      ]);
    });

    test('that are staged for a day are found', async () => {
      const key = aSigningKey({ createdAt: later(NOW, -DAY + 1) });
      await world.signingKeys.insert(key, anEvent());
      expect(only(await findings(), 'key_left_staged')).toEqual([]);
      world.clock.advance(1);
      expect(only(await findings(), 'key_left_staged')).toEqual([
        { code: 'key_left_staged', keyId: key.id, format: 'paseto', since: key.createdAt },
      ]);
      await world.signingKeys.activate(key.id, NOW, anEvent());
      expect(only(await findings(), 'key_left_staged')).toEqual([]);
    });

    test('that only verify are found once no live token needs them', async () => {
      const active = await world.signingKeys.findActive('paseto');
      await givenToken(world, ada, { createdAt: NOW, expiresAt: later(NOW, DAY) });
      const next = aSigningKey({ createdAt: NOW });
      await world.signingKeys.insert(next, anEvent());
      await world.signingKeys.activate(next.id, NOW, anEvent());
      expect(only(await findings(), 'key_retirable')).toEqual([]);
      world.clock.advance(DAY);
      expect(only(await findings(), 'key_retirable')).toEqual([
        { code: 'key_retirable', keyId: active?.id, format: 'paseto' },
      ]);
    });

    test('that are retired are nobody’s business any more', async () => {
      await retireAll();
      const open = async () => expect.fail('a key of the past was opened');
      const sealedOnly = (await world.signingKeys.list()).filter(({ state }) => state === 'retired');
      expect(sealedOnly).toHaveLength(2);
      const signingKeys = {
        list: async () => sealedOnly,
        countLiveTokens: async () => new Map(),
      };
      const found = await findings({
        signingKeys,
        findMasterKey: async () => ok({ ...world.encryption, open }),
      });
      expect(found.map(({ code }) => code)).toEqual(['no_active_key', 'no_active_key']);
    });
  });

  describe('the master key', () => {
    test('that is not here is not checked, which is no finding', async () => {
      const report = await check({ findMasterKey: async () => undefined });
      expect(outcomeOf(report, 'master_key')).toEqual({ status: 'skipped', because: 'no_master_key' });
      expect(findingsOf(report)).toEqual([]);
    });

    test('is not asked for where no key is in use that it could open', async () => {
      const signingKeys = { list: async () => [], countLiveTokens: async () => new Map() };
      const findMasterKey = async () => expect.fail('it was asked for');
      const report = await check({ signingKeys, findMasterKey });
      expect(outcomeOf(report, 'master_key')).toEqual({ status: 'skipped', because: 'no_keys' });
    });

    test('that cannot be read is found', async () => {
      const problem = err({ code: 'master_key_unusable', message: 'no such file' } as const);
      expect(await findings({ findMasterKey: async () => problem })).toEqual([
        { code: 'master_key_unusable', reason: 'no such file' },
      ]);
    });

    test('that is another one is found, with the keys that it does not open', async () => {
      const keys = (await world.signingKeys.list()).map(({ id }) => id);
      const another = createFakeKeyEncryption('another');
      expect(await findings({ findMasterKey: async () => ok(another) })).toEqual([
        { code: 'master_key_rejected', keyIds: keys },
      ]);
    });
  });

  describe('API tokens', () => {
    const good = { createdAt: later(NOW, -DAY), expiresAt: later(NOW, DAY) };
    const old = { ...good, createdAt: later(NOW, -90 * DAY - 1) };

    test('that were not used for 90 days are found', async () => {
      await givenToken(world, ada, { ...old, createdAt: later(NOW, -90 * DAY) });
      await givenToken(world, ada, { ...old, kind: 'sign-in' });
      const used = await givenToken(world, ada, old);
      world.usage.used(used.id, later(NOW, -90 * DAY));
      expect(await findings()).toEqual([]);
      const unused = await givenToken(world, ada, old);
      await givenToken(world, ada, old);
      const found = { code: 'tokens_unused', days: 90, more: false };
      expect(await findings()).toEqual([{ ...found, count: 2 }]);
      await world.tokens.revoke(unused.id, aRevocation(), anEvent());
      expect(await findings()).toEqual([{ ...found, count: 1 }]);
    });

    test('that never expire are found', async () => {
      await givenToken(world, ada, { ...good, expiresAt: later(NOW, 10_000 * DAY) });
      expect(await findings()).toEqual([]);
      const { id } = await givenToken(world, ada, { ...good, expiresAt: null });
      expect(await findings()).toEqual([{ code: 'tokens_never_expiring', count: 1, more: false }]);
      await world.tokens.revoke(id, aRevocation(), anEvent());
      expect(await findings()).toEqual([]);
    });

    test('of a suspended account are found, until they end', async () => {
      await givenToken(world, ada, good);
      await givenToken(world, ada, { ...good, kind: 'sign-in' });
      await world.accounts.suspend(account.id, NOW, anEvent());
      expect(await findings()).toEqual([{ code: 'tokens_of_suspended_accounts', count: 1, more: false }]);
      world.clock.advance(DAY);
      expect(await findings()).toEqual([]);
    });

    test('of disabled users, which only a change by hand can leave behind, are found', async () => {
      const count: World['tokens']['count'] = async ({ state, kind }) =>
        state === 'user_disabled' && kind === 'api' ? 1 : 0;
      expect(await findings({ tokens: { count } })).toEqual([
        { code: 'tokens_of_disabled_users', count: 1, more: false },
      ]);
    });

    test.each([
      [999, { count: 999, more: false }],
      [1000, { count: 1000, more: false }],
      [1001, { count: 1000, more: true }],
    ])('%i are counted as %j', async (number, counted) => {
      for (let made = 0; made < number; made += 1) {
        await givenToken(world, ada, { ...good, name: String(made), expiresAt: null });
      }
      expect(await findings()).toEqual([{ code: 'tokens_never_expiring', ...counted }]);
    });
  });

  describe('usage', () => {
    const recordersWith = (...lags: readonly UsageRecorderLag[]) => ({ list: async () => lags });

    test('of which none was stored is remarked, and no finding', async () => {
      expect(outcomeOf(await check(), 'usage')).toEqual({ status: 'passed', remark: 'no_usage' });
      const inTime = { storedAt: NOW, lagMs: 2000 };
      expect(outcomeOf(await check({ usageRecorders: recordersWith(inTime) }), 'usage')).toEqual({
        status: 'passed',
      });
    });

    test.each([
      [0, 2000, false],
      [0, 2001, true],
      [60_000, 2001, true],
      [60_001, 90_000, false],
    ])('stored %i ms ago, %i ms late: found %s', async (ago, lagMs, isFound) => {
      const lag = { storedAt: later(NOW, -ago), lagMs };
      expect(await findings({ usageRecorders: recordersWith(lag) })).toEqual(
        isFound ? [{ code: 'usage_behind', ...lag }] : [],
      );
    });

    test('is late by the database’s clock, whatever this machine’s says', async () => {
      const storeProbe = {
        schemaState: async () => 'current' as const,
        now: async () => later(NOW, -DAY) as Instant,
      };
      const lag = { storedAt: later(NOW, -DAY), lagMs: 5000 };
      expect(await findings({ storeProbe, usageRecorders: recordersWith(lag) })).toEqual([
        { code: 'clock_skewed', skewMs: DAY },
        { code: 'usage_behind', ...lag },
      ]);
    });

    test('that several store late is a finding of each', async () => {
      const late = { storedAt: NOW, lagMs: 9000 };
      const lags = recordersWith(late, { storedAt: NOW, lagMs: 1 }, { ...late, lagMs: 3000 });
      expect(
        (await findings({ usageRecorders: lags })).map((finding) => 'lagMs' in finding && finding.lagMs),
      ).toEqual([9000, 3000]);
    });
  });
});
