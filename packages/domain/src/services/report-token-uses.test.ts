import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  apiToken,
  aServiceScope,
  aTokenId,
  createWorldWithAdmins,
  givenService,
  START,
  type World,
} from '../../testing/index.ts';
import type { ServiceCaller } from '../access/index.ts';
import { err, ok } from '../result.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import { isRefusedSinceUse } from '../tokens/administration/token-status.ts';
import type { TokenId } from '../tokens/token.ts';
import type { User } from '../users/user.ts';
import { reportTokenUses } from './report-token-uses.ts';
import type { ServiceName } from './service.ts';
import type { CredentialHash } from './service-credential.ts';
import type { UsageReport } from './usage-reports.ts';

const ORDERS = 'orders' as ServiceName;
const STOCK = 'stock' as ServiceName;

describe('reported uses of tokens', () => {
  let world: World;
  let ada: User;
  let id: TokenId;
  /** Runs while a report waits. */
  let meanwhile: () => unknown;
  const pause = vi.fn(async (_: number) => void (await meanwhile()));

  beforeEach(async () => {
    ({ world, ada } = await createWorldWithAdmins());
    await givenService(world, { name: ORDERS, scopes: [aServiceScope('orders:read')] });
    await givenService(world, { name: STOCK });
    id = await aToken();
    meanwhile = () => undefined;
    pause.mockClear();
  });

  const at = (milliseconds: number): Instant => addMilliseconds(START, milliseconds);
  const aToken = async () => (await apiToken(world, ada, { scopes: ['orders:read'] })).record.id;
  const usedAt = (service: ServiceName, milliseconds: number, token = id) =>
    world.usage.used(token, at(milliseconds), undefined, { name: service });
  const setClock = (milliseconds: number) => world.clock.advance(at(milliseconds) - world.clock.now());
  const usageOf = (token = id) => world.tokens.findUsage(token);

  const caller = (service: ServiceName): ServiceCaller => ({
    kind: 'service',
    service,
    credential: 'hash' as CredentialHash,
    origin: '10.9.9.9',
  });
  const report = (parts: Partial<UsageReport>, service = ORDERS) =>
    reportTokenUses({ ...world, pause })(caller(service), { uses: [], refusals: [], ...parts });
  const reportUse = (milliseconds: number, token = id) =>
    report({ uses: [{ token, count: 3, lastAt: at(milliseconds), from: '203.0.113.7' }] });

  test('of a token that the service introspected are stored as reported', async () => {
    usedAt(ORDERS, 0);
    setClock(60_000);
    expect(await reportUse(50_000)).toEqual(ok(undefined));
    expect(await usageOf()).toMatchObject({
      lastUsedAt: at(50_000),
      usedAt: [{ service: ORDERS, lastAt: at(50_000), from: '203.0.113.7', isReported: true }],
    });
    expect(pause).not.toHaveBeenCalled();
  });

  test('of other tokens are ignored, with the same result', async () => {
    usedAt(STOCK, 0);
    setClock(60_000);
    for (const token of [id, aTokenId()]) expect(await reportUse(60_000, token)).toEqual(ok(undefined));
    expect(
      await report({
        refusals: [{ token: id, count: 1, lastAt: at(60_000), reason: 'insufficient_scope' }],
      }),
    ).toEqual(ok(undefined));
    expect(await usageOf()).toMatchObject({ lastUsedAt: at(0), lastRefusal: null });
    expect(await usageOf()).toMatchObject({ usedAt: [{ service: STOCK }] });
  });

  test.each([
    ['5 seconds in the future', 65_000, 60_000],
    ['more than 5 seconds in the future', 65_001, undefined],
    ['5 seconds before the first use at the service', 5_000, 10_000],
    ['more than 5 seconds before the first use at the service', 4_999, undefined],
  ])('%s count within the tolerance for the clock of the service', async (_, told, stored) => {
    usedAt(ORDERS, 10_000);
    setClock(60_000);
    await report({
      uses: [{ token: id, count: 1, lastAt: at(told) }],
      refusals: [{ token: id, count: 1, lastAt: at(told), reason: 'expired' }],
    });
    const { lastUsedAt, lastRefusal } = await usageOf();
    // A use counts as 1.5 seconds old, because a refusal since then may not be stored yet.
    expect([lastUsedAt, lastRefusal?.at]).toEqual([
      at(Math.min(stored ?? 10_000, 58_500)),
      stored && at(stored),
    ]);
  });

  test('do not hide a refusal that Gatehouse stores a second later', async () => {
    usedAt(ORDERS, 0);
    setClock(60_000);
    await report({ uses: [{ token: id, count: 1, lastAt: at(60_000) }] });
    world.usage.refused(id, at(59_000), 'insufficient_scope');
    await world.usage.flush();
    expect(isRefusedSinceUse(await usageOf())).toBe(true);
  });

  test('that come before another server has stored the first use are stored after a pause', async () => {
    setClock(1_000);
    const unknown = await aToken();
    meanwhile = () => usedAt(ORDERS, 900);
    await report({
      uses: [{ token: unknown, count: 1, lastAt: at(1_000) }],
      refusals: [{ token: id, count: 1, lastAt: at(1_000), reason: 'insufficient_scope' }],
    });
    expect(pause.mock.calls).toEqual([[1_500]]);
    expect((await usageOf()).lastRefusal).toMatchObject({ at: at(1_000), reportedBy: ORDERS });
    expect((await usageOf(unknown)).lastUsedAt).toBeNull();
  });

  test('are counted once, although others of the same report wait', async () => {
    usedAt(ORDERS, 0);
    const store = vi.spyOn(world.usageReports, 'store');
    const entry = { count: 1, lastAt: at(0) };
    await report({
      uses: [
        { token: id, ...entry },
        { token: await aToken(), ...entry },
      ],
    });
    expect(pause).toHaveBeenCalledOnce();
    expect(store.mock.calls.map(([, { uses }]) => uses.map(({ token }) => token))).toEqual([[id]]);
  });

  test('wait only if they are new, and at most 100 of them at once, 10 of one service', async () => {
    setClock(60_000);
    await reportUse(54_999);
    expect(pause).not.toHaveBeenCalled();
    const end = Promise.withResolvers<void>();
    meanwhile = () => end.promise;
    const useCase = reportTokenUses({ ...world, pause });
    const one: UsageReport = { uses: [{ token: id, count: 1, lastAt: at(60_000) }], refusals: [] };
    const reportsOf = (service: ServiceName) =>
      Array.from({ length: 10 }, () => useCase(caller(service), one));
    const waiting = reportsOf(ORDERS);
    await vi.waitFor(() => expect(pause).toHaveBeenCalledTimes(10));
    expect(await useCase(caller(ORDERS), one)).toEqual(ok(undefined));
    expect(pause).toHaveBeenCalledTimes(10);
    for (let index = 1; index < 10; index += 1) waiting.push(...reportsOf(`other-${index}` as ServiceName));
    await vi.waitFor(() => expect(pause).toHaveBeenCalledTimes(100));
    meanwhile = () => undefined;
    expect(await useCase(caller(STOCK), one)).toEqual(ok(undefined));
    expect(pause).toHaveBeenCalledTimes(100);
    end.resolve();
    await Promise.all(waiting);
    await useCase(caller(ORDERS), one);
    expect(pause).toHaveBeenCalledTimes(101);
  });

  test('an empty report reads and stores nothing', async () => {
    const find = vi.spyOn(world.usageReports, 'findFirstUses');
    expect(await report({})).toEqual(ok(undefined));
    expect(find).not.toHaveBeenCalled();
  });

  test('are taken from services only', async () => {
    const refused = { kind: 'refused', reason: 'credential_not_accepted' } as const;
    const useCase = reportTokenUses({ ...world, pause });
    expect(await useCase(refused, { uses: [], refusals: [] })).toEqual(
      err(expect.objectContaining({ code: 'token_not_accepted' })),
    );
  });
});
