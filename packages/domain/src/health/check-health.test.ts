import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../testing/index.ts';
import {
  createInMemoryChangeFeedProbe,
  createInMemoryExtensionSchemas,
  createInMemoryStoreProbe,
  givenToken,
} from '../../testing/index.ts';
import { checkIn, createInstallation, DAY, findingsIn, NOW, outcomeIn } from '../../testing/installation.ts';
import { UnavailableFault } from '../faults.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import type { HealthCheck, HealthReport } from './health-report.ts';
import { databaseNotOpened, findingsOf, HEALTH_CHECKS } from './health-report.ts';

describe('checkHealth', () => {
  let world: World;
  let ada: User;

  beforeEach(async () => {
    ({ world, ada } = await createInstallation());
  });

  const skipped = (report: HealthReport) =>
    report.flatMap((each) => (each.status === 'skipped' ? [`${each.check} ${each.because}`] : []));
  const unavailable = async (): Promise<never> => {
    throw new UnavailableFault('the database cannot be reached: ECONNREFUSED');
  };
  const UNREACHABLE = {
    now: unavailable,
    schemaState: unavailable,
    unfitProperties: unavailable,
    publicAccess: unavailable,
    objectCreation: unavailable,
    unexpectedObjects: unavailable,
  };

  test('in a sound installation every check passes without findings', async () => {
    await givenToken(world, ada, { createdAt: NOW, expiresAt: addMilliseconds(NOW, DAY) });
    const report = await checkIn(world);
    expect(report.map((each) => [each.check, each.status])).toEqual(
      HEALTH_CHECKS.map((name) => [name, 'passed']),
    );
    expect(findingsOf(report)).toEqual([]);
  });

  describe('the database', () => {
    test('that cannot be reached is reported, and all other checks are skipped', async () => {
      const reason = 'the database cannot be reached: ECONNREFUSED';
      const report = await checkIn(world, { storeProbe: UNREACHABLE });
      expect(report).toEqual(databaseNotOpened({ code: 'database_unreachable', reason }));
      expect(findingsOf(report)).toEqual([{ code: 'database_unreachable', reason }]);
      expect(skipped(report)).toHaveLength(HEALTH_CHECKS.length - 1);
    });

    test('that becomes unavailable during the checks ends them', async () => {
      const report = await checkIn(world, { tokens: { ...world.tokens, count: unavailable } });
      expect(outcomeIn(report, 'unused_tokens')).toMatchObject({
        status: 'failed',
        findings: [{ code: 'database_unreachable' }],
      });
      expect(skipped(report)).toEqual([
        'never_expiring_tokens database_unreachable',
        'tokens_over_policy database_unreachable',
        'inactive_creators database_unreachable',
        'service_credentials database_unreachable',
        'service_accounts database_unreachable',
        'sign_ins database_unreachable',
        'emails database_unreachable',
        'mail database_unreachable',
        'webhooks database_unreachable',
        'usage database_unreachable',
        'reactions database_unreachable',
        'extensions database_unreachable',
      ]);
    });

    test('that becomes unavailable for two checks at once is one finding, and nothing else is asked', async () => {
      const lost = Promise.withResolvers<never>();
      const asked: string[] = [];
      const lose = (name: string) => {
        // Both are asked by now, and a third one would be before they are answered.
        if (asked.push(name) === 2) setImmediate(() => lost.reject(new UnavailableFault('gone')));
        return lost.promise;
      };
      const report = await checkIn(world, {
        changeFeedProbe: { try: () => lose('change_feed') },
        signingKeys: { ...world.signingKeys, list: () => lose('signing_keys') },
        tokens: { ...world.tokens, count: () => lose('tokens') },
      });
      expect(asked).toEqual(['change_feed', 'signing_keys']);
      expect(findingsOf(report)).toEqual([{ code: 'database_unreachable', reason: 'gone' }]);
      expect(outcomeIn(report, 'signing_keys')).toEqual({
        status: 'skipped',
        because: 'database_unreachable',
      });
      expect(outcomeIn(report, 'extensions')).toEqual(outcomeIn(report, 'signing_keys'));
    });

    test.each(['behind', 'ahead'] as const)(
      'whose schema is %s is reported, and checks of its tables are skipped',
      async (state) => {
        const report = await checkIn(world, {
          storeProbe: createInMemoryStoreProbe(world.clock, state),
          changeFeedProbe: createInMemoryChangeFeedProbe({ trusted: false, reason: 'deaf' }),
        });
        expect(findingsOf(report).map(({ code }) => code)).toEqual([
          `schema_${state}`,
          'change_feed_untrusted',
        ]);
        const reading = HEALTH_CHECKS.slice(HEALTH_CHECKS.indexOf('signing_keys'));
        expect(skipped(report)).toEqual(reading.map((check) => `${check} schema_not_current`));
      },
    );

    test('that refuses a check is a finding of that check, and the others are made', async () => {
      const count = async () => {
        throw new Error('permission denied for table tokens');
      };
      const report = await checkIn(world, { tokens: { ...world.tokens, count } });
      const failed = (name: HealthCheck) => ({
        code: 'check_failed',
        check: name,
        reason: 'permission denied for table tokens',
      });
      expect(findingsOf(report)).toEqual([
        failed('unused_tokens'),
        failed('never_expiring_tokens'),
        failed('tokens_over_policy'),
        failed('inactive_creators'),
      ]);
      expect(outcomeIn(report, 'usage').status).toBe('passed');
    });
  });

  test('a database to which other roles may connect, or add objects, or where something was added, is reported, whatever its schema', async () => {
    const access = { database: 'gatehouse', ownRole: 'gatehouse', otherRoles: ['shop'] } as const;
    const creation = { ...access, schema: 'public', otherRoles: ['monitoring'] } as const;
    const unexpected = { schema: 'public', objects: ['function public.f()'] } as const;
    const storeProbe = {
      ...createInMemoryStoreProbe(world.clock, 'behind'),
      publicAccess: async () => access,
      objectCreation: async () => creation,
      unexpectedObjects: async () => unexpected,
    };
    expect(await findingsIn(world, { storeProbe })).toEqual([
      { code: 'schema_behind' },
      { code: 'database_open_to_public', ...access },
      { code: 'objects_by_other_roles', ...creation },
      { code: 'unexpected_objects', ...unexpected },
    ]);
  });

  test('a check that waits keeps no other one waiting', async () => {
    const { promise: lastWasAsked, resolve } = Promise.withResolvers<void>();
    const report = await checkIn(world, {
      changeFeedProbe: { try: () => lastWasAsked.then(() => ({ trusted: true })) },
      extensionSchemas: {
        ...createInMemoryExtensionSchemas(world),
        async countLost() {
          resolve();
          return [];
        },
      },
    });
    expect(outcomeIn(report, 'change_feed')).toEqual({ status: 'passed' });
  });

  test('a change feed that is not trusted is reported, with the reason', async () => {
    const reason = 'it leads to a standby';
    const changeFeedProbe = createInMemoryChangeFeedProbe({ trusted: false, reason });
    expect(await findingsIn(world, { changeFeedProbe })).toEqual([{ code: 'change_feed_untrusted', reason }]);
  });
});
