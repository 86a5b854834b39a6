import { beforeEach, describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import {
  type NetworkMode,
  parseTokenNetworks,
  type Token,
  type TokenNetworks,
} from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSuccessor,
  aTokenId,
  givenAdmin,
  givenToken,
  givenUser,
  START,
  unwrap,
} from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const DAY_MS = 86_400_000;
const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);
const networks = (mode: NetworkMode, ...list: readonly string[]): TokenNetworks =>
  unwrap(parseTokenNetworks({ mode, list }));

export function tokenNetworksContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the contract of TokenNetworkRepository`, () => {
    const store = openRepositories(open);
    const office = networks('enforced', '203.0.113.0/24', '2001:db8::/32');
    let admin: User;
    let token: Token;

    beforeEach(async () => {
      admin = await givenAdmin(store());
      token = await givenToken(store(), admin, { expiresAt: at(3600) });
    });

    const set = ({ id }: Pick<Token, 'id'>, to: TokenNetworks | null, now = START) =>
      store().tokenNetworks.set(id, to, now, (before, after) =>
        anEvent({
          action: 'token.networks_set',
          subject: { type: 'token', id },
          details: { before: before.networks?.mode ?? null, after: after.networks?.mode ?? null },
        }),
      );
    const reportedFrom = async () => (await store().tokens.findUsage(token.id)).reportedFrom;
    const stored = async ({ id }: Pick<Token, 'id'> = token) =>
      (await store().tokens.findRecord(id))?.networks;

    test('a demoted, a disabled or a foreign admin sets no networks, and removes none', async () => {
      const [colleague, disabled] = [
        await givenUser(store(), admin.accountId),
        await givenUser(store(), admin.accountId),
      ];
      const foreign = await givenAdmin(store());
      await set(token, office);
      await store().users.setRole(colleague.id, 'member', () => anEvent());
      await store().users.disable(disabled.id, aRevocation(), anEvent());
      const remove = ({ id }: User) =>
        store().tokenNetworks.set(token.id, null, START, () =>
          anEvent({ actor: { kind: 'user', id }, accountId: admin.accountId }),
        );
      for (const user of [colleague, disabled, foreign])
        expect(await remove(user)).toEqual(err({ code: 'not_allowed' }));
      expect(await stored()).toEqual(office);
      expect(await remove(admin)).toMatchObject({ ok: true });
      expect(await stored()).toBeNull();
    });

    test('networks are set, changed and removed, each with one event, and nothing else changes', async () => {
      const before = await store().tokens.findRecord(token.id);
      expect(before?.networks).toBeNull();
      const done = await set(token, office);
      expect(done).toEqual(ok({ before: token, after: { ...token, networks: office } }));
      expect(done).toSatisfy(({ value }) => isDeeplyFrozen(value.after));
      const after = await store().tokens.findRecord(token.id);
      expect(after).toEqual({ ...before, networks: office });
      expect(after).toSatisfy(isDeeplyFrozen);
      expect(await newestEvent(store())).toMatchObject({ details: { before: null, after: 'enforced' } });
      await set(token, networks('report-only', '10.0.0.0/8'));
      expect(await stored()).toEqual(networks('report-only', '10.0.0.0/8'));
      expect(await newestEvent(store())).toMatchObject({
        details: { before: 'enforced', after: 'report-only' },
      });
      await set(token, null);
      expect(await store().tokens.findRecord(token.id)).toEqual(before);
      expect(await newestEvent(store())).toMatchObject({ details: { after: null } });
    });

    test.each([office, null])('the same networks again change nothing, without an event', async (to) => {
      await set(token, to);
      const newest = await newestEvent(store());
      const same = to && networks('enforced', '2001:DB8:0::/32', '203.0.113.0/24');
      expect(await set(token, same)).toMatchObject({ ok: true, value: { after: { networks: to } } });
      expect(await newestEvent(store())).toEqual(newest);
    });

    test('the networks of an unknown token, a sign-in token and a token that has ended are not set', async () => {
      expect(await set({ id: aTokenId() }, office)).toEqual(err({ code: 'token_not_found' }));
      const signIn = await givenToken(store(), admin, { kind: 'sign-in' });
      const not = (reason: string) => err({ code: 'networks_not_settable', reason });
      expect(await set(signIn, office)).toEqual(not('sign_in'));
      expect(await set(token, office, at(3600))).toEqual(not('expired'));
      await store().tokens.revoke(token.id, aRevocation(), anEvent());
      expect(await set(token, office)).toEqual(not('revoked'));
      expect(await stored()).toBeNull();
    });

    test('a new token has the networks with which it is inserted', async () => {
      const made = await givenToken(store(), admin, { networks: office });
      expect(await stored(made)).toEqual(office);
      expect(await store().tokens.find(made.id)).toMatchObject({ networks: office });
    });

    test('a rotation that began before the networks were set is refused, so that none loses them', async () => {
      const early = aSuccessor(token);
      await set(token, office);
      const rotate = (successor: typeof early) =>
        store().tokens.rotate(successor, { by: admin.id }, [anEvent()]);
      expect(await rotate(early)).toEqual(err({ code: 'token_changed' }));
      const successor = aSuccessor({ ...token, networks: office });
      expect(await rotate(successor)).toEqual(ok(undefined));
      expect(await stored(successor)).toEqual(office);
    });

    test('uses from outside are kept while the networks are report-only, newest first, at most five', async () => {
      const { usage } = store();
      const reported = async () => (await reportedFrom()).map(({ address }) => address);
      usage.usedOutside(token.id, at(0), '198.51.100.9');
      await usage.flush();
      expect(await reported()).toEqual([]);
      await set(token, networks('report-only', '10.0.0.0/8'));
      for (const [second, from] of ['1', '2', '3', '4', '5', '6', '2'].entries())
        usage.usedOutside(token.id, at(second), `198.51.100.${from}`);
      await usage.flush();
      usage.usedOutside(token.id, at(8), '2001:db8::7');
      await usage.flush();
      expect(await reportedFrom()).toMatchObject([
        { address: '2001:db8::/64', firstAt: at(8), lastAt: at(8), times: 1 },
        { address: '198.51.100.2', lastAt: at(6) },
        { address: '198.51.100.6' },
        { address: '198.51.100.5' },
        { address: '198.51.100.4' },
      ]);
      await set(token, networks('report-only', '198.51.100.0/24'));
      expect(await reported()).toEqual([]);
    });

    test('addresses from outside are forgotten like addresses of use', async () => {
      const { usage, tokens } = store();
      await set(token, networks('report-only', '10.0.0.0/8'));
      usage.used(token.id, START, '198.51.100.1');
      for (const days of [0, 2]) usage.usedOutside(token.id, at(days * 86_400), `198.51.100.${days + 1}`);
      await usage.flush();
      await tokens.forgetAddresses({ before: addMilliseconds(START, DAY_MS), limit: 1000 });
      expect(await reportedFrom()).toMatchObject([{ address: '198.51.100.3' }]);
      await tokens.forgetAddresses({ before: addMilliseconds(START, 3 * DAY_MS), limit: 1000 });
      expect(await reportedFrom()).toEqual([]);
    });
  });
}
