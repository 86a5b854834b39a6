import { beforeEach, describe, expect, test } from 'vitest';
import {
  anchorOf,
  anEvent,
  collected,
  createWorld,
  exportedLines,
  givenAccount,
  givenEvents,
  givenPerson,
  givenToken,
  inPerson,
  linesOf,
  OPERATOR,
  tampered,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { resumeAccount, suspendAccount } from '../../accounts/manage-accounts.ts';
import { BUILT_IN, createCatalog } from '../../resources/index.ts';
import { activateKey, createKey, retireKey } from '../../signing-keys/manage-keys.ts';
import { revokeToken } from '../../tokens/administration/revoke-token.ts';
import { setTokenNetworks } from '../../tokens/networks/set-token-networks.ts';
import { type NetworkMode, networkTexts } from '../../tokens/networks/token-networks.ts';
import type { Token } from '../../tokens/token.ts';
import { disableUser, enableUser } from '../../users/change-users.ts';
import type { User } from '../../users/user.ts';
import { reapplyAuditEvents } from './reapply-audit-events.ts';

/** A world in which everything was done that the backup has. */
interface Both {
  readonly world: World;
  readonly ada: User;
  readonly bo: User;
  readonly token: Token;
  readonly kept: Token;
}

async function prepared(): Promise<Both> {
  const world = await createWorld();
  const account = await givenAccount(world);
  const ada = await givenPerson(world, { accountId: account.id, email: 'ada@acme.example' });
  const bo = await givenPerson(world, { accountId: account.id, email: 'bo@acme.example' });
  const token = await givenToken(world, ada, { name: 'ERP' });
  const kept = await givenToken(world, bo, { name: 'Scale' });
  await exportedLines(world);
  return { world, ada, bo, token, kept };
}

const reapply = async (world: World, lines: readonly string[]) => {
  const found = unwrap(await reapplyAuditEvents(world)(OPERATOR, { exported: linesOf(lines) }));
  const done = await collected(found.reapply());
  return {
    events: found.events,
    others: Object.fromEntries(found.others),
    done: done.map(({ change: { kind, id }, outcome }) => `${kind} ${id}: ${outcome}`),
  };
};

const NOTICED = /expires_soon|expired_in_use|unused|used_from_new_network|key\.due|policy\.exceeded/;

describe('after a restore', () => {
  let live: Both;
  /** As the live one was at the backup. */
  let restored: { readonly world: World };
  beforeEach(async () => {
    live = await prepared();
    restored = { world: { ...live.world, ...live.world.backUp() } };
    live.world.clock.advance(60_000);
  });

  const revoke = (both: Both) =>
    revokeToken(both.world)(inPerson(both.ada), { id: both.token.id, reason: 'leaked' });

  test('a token that was revoked since the backup is revoked again, once, with its reason', async () => {
    unwrap(await revoke(live));
    const lines = await exportedLines(live.world);
    expect(await reapply(restored.world, lines)).toEqual({
      events: 1,
      others: {},
      done: [`token ${live.token.id}: done`],
    });
    const record = await restored.world.tokens.findRecord(live.token.id);
    expect(record?.revocation).toMatchObject({
      by: { kind: 'operator' },
      reason: 'again after a restore: leaked',
    });
    const [event] = await restored.world.audit.list({ limit: 1 });
    expect(event?.event).toMatchObject({
      action: 'token.revoked',
      actor: { kind: 'operator', name: 'root' },
    });
    expect((await reapply(restored.world, lines)).done).toEqual([`token ${live.token.id}: already`]);
    expect((await restored.world.audit.list({ limit: 1 }))[0]?.id).toBe(event?.id);
  });

  test('what Gatehouse noticed since the backup changed nothing, so nothing is done again', async () => {
    for (const action of createCatalog(BUILT_IN).actions.filter((each) => NOTICED.test(each)))
      live.world.record(
        anEvent({ action, actor: { kind: 'system' }, subject: { type: 'token', id: live.token.id } }),
      );
    expect(await reapply(restored.world, await exportedLines(live.world))).toEqual({
      events: 6,
      others: {},
      done: [],
    });
  });

  test('a token is limited to the networks that it had last, unless they were removed again', async () => {
    const { world, ada, bo, token, kept } = live;
    const limit = (mode: NetworkMode, list: readonly string[], [id, by] = [token.id, ada]) =>
      setTokenNetworks(world)(inPerson(by), { id, networks: { mode, list } });
    unwrap(await limit('enforced', ['10.0.0.0/8']));
    unwrap(await limit('enforced', ['203.0.113.0/24', '2001:db8::/32']));
    unwrap(await limit('enforced', ['10.0.0.0/8'], [kept.id, bo]));
    unwrap(await limit('report-only', ['10.0.0.0/8'], [kept.id, bo]));
    const lines = await exportedLines(world);
    const end = restored.world.editions.connectOlder();
    expect((await reapply(restored.world, lines)).done).toEqual([`networks ${token.id}: older_edition`]);
    end();
    expect(await reapply(restored.world, lines)).toEqual({
      events: 4,
      others: { 'token.networks_set': 1 },
      done: [`networks ${token.id}: done`],
    });
    const find = (id: Token['id']) => restored.world.tokens.findRecord(id);
    expect(networkTexts((await find(token.id))?.networks ?? expect.fail())).toEqual([
      '203.0.113.0/24',
      '2001:db8::/32',
    ]);
    expect((await find(kept.id))?.networks).toBeNull();
    expect((await reapply(restored.world, lines)).done).toEqual([`networks ${token.id}: already`]);
    unwrap(await revoke(live));
    const both = await reapply(restored.world, await exportedLines(world));
    expect(both.done).toEqual([`networks ${token.id}: already`, `token ${token.id}: done`]);
  });

  test('what the log has is passed over, whether or not its seals are the same', async () => {
    const lines = await exportedLines(live.world);
    expect(await reapply(live.world, lines)).toEqual({ events: 0, others: {}, done: [] });
    expect(await reapply(restored.world, lines)).toEqual({ events: 0, others: {}, done: [] });
  });

  test('a user is disabled again, and the tokens go to whom they went to', async () => {
    const input = { email: live.ada.email, reason: 'left', transferTo: live.bo.email };
    unwrap(await disableUser(live.world)(OPERATOR, input));
    const { done, others } = await reapply(restored.world, await exportedLines(live.world));
    expect(done).toEqual([`user ${live.ada.id}: done`]);
    expect(others).toEqual({ 'token.transferred': 1 });
    expect((await restored.world.users.findById(live.ada.id))?.disabledAt).not.toBeNull();
    const record = await restored.world.tokens.findRecord(live.token.id);
    expect(record).toMatchObject({ userId: live.bo.id, revocation: null });
  });

  test('a user who was enabled again stays as the backup has it, and another one with the id is left alone', async () => {
    const input = { email: live.ada.email, reason: null, transferTo: null };
    unwrap(await disableUser(live.world)(OPERATOR, input));
    unwrap(await enableUser(live.world)(OPERATOR, { email: live.ada.email }));
    const first = await reapply(restored.world, await exportedLines(live.world));
    expect(first.done).toEqual([`token ${live.token.id}: done`]);
    expect(first.others).toEqual({ 'user.enabled': 1 });
    expect((await restored.world.users.findById(live.ada.id))?.disabledAt).toBeNull();

    unwrap(await disableUser(live.world)(OPERATOR, input));
    const { findById } = restored.world.users;
    const another = { ...live.ada, email: 'zoe@acme.example' as User['email'] };
    const users = { ...restored.world.users, findById: async () => another };
    const second = await reapply({ ...restored.world, users }, await exportedLines(live.world));
    expect(second.done).toContain(`user ${live.ada.id}: unknown`);
    expect((await findById(live.ada.id))?.disabledAt).toBeNull();
  });

  test('an account is suspended again unless it was resumed', async () => {
    const { accountId: id } = live.ada;
    const backup = live.world.backUp();
    unwrap(await suspendAccount(live.world)(OPERATOR, { id, reason: 'unpaid' }));
    expect((await reapply(restored.world, await exportedLines(live.world))).done).toEqual([
      `account ${id}: done`,
    ]);
    unwrap(await resumeAccount(live.world)(OPERATOR, id));
    const again = await reapply({ ...live.world, ...backup }, await exportedLines(live.world));
    expect(again.done).toEqual([]);
  });

  test('a key that the backup has as active cannot be retired again, which is said', async () => {
    const { world } = live;
    const before = (await world.signingKeys.list()).find(({ format }) => format === 'jwt');
    const key = unwrap(await createKey(world)(OPERATOR, 'jwt'));
    world.clock.advance(60_000);
    unwrap(await activateKey({ ...world, maxStalenessMs: 1000 })(OPERATOR, key.id));
    unwrap(await retireKey(world)(OPERATOR, { id: before?.id ?? ('' as never), revokeTokens: true }));
    const { done, others } = await reapply(restored.world, await exportedLines(world));
    expect(done).toEqual([`key ${before?.id}: key_active`]);
    expect(others).toEqual({ 'key.created': 1, 'key.activated': 1 });
  });

  test('what cannot be made again is counted, and what is of a later state is unknown', async () => {
    const later = await givenToken(live.world, live.ada, { name: 'Later' });
    unwrap(await revokeToken(live.world)(inPerson(live.ada), { id: later.id, reason: null }));
    const { done, others } = await reapply(restored.world, await exportedLines(live.world));
    expect(done).toEqual([`token ${later.id}: unknown`]);
    expect(others).toEqual({ 'account.created': 1 });
  });

  test('a file of which a line was changed, or that another installation made, does nothing', async () => {
    unwrap(await revoke(live));
    const lines = await exportedLines(live.world);
    const refused = { ok: false, error: { code: 'export_not_genuine', line: lines.length } };
    const changed = lines.map((line) => line.replace(live.token.id, live.kept.id));
    const run = (world: World, exported: readonly string[]) =>
      reapplyAuditEvents(world)(OPERATOR, { exported: linesOf(exported) });
    expect(await run(restored.world, changed)).toEqual(refused);
    expect(await run(restored.world, lines.toSpliced(-2, 1))).toMatchObject({
      error: { code: 'export_not_genuine' },
    });
    const sealCryptography = { ...live.world.sealCryptography, mac: () => 'another' };
    expect(await run({ ...restored.world, sealCryptography }, lines)).toMatchObject({ ok: false });
    expect((await restored.world.tokens.findRecord(live.kept.id))?.revocation).toBeNull();
  });

  test('lines without a seal at the end are of an export that was cut or interrupted, and are made again in no case', async () => {
    unwrap(await revoke(live));
    const lines = (await exportedLines(live.world)).slice(0, -1);
    const run = (partial: boolean) =>
      reapplyAuditEvents(restored.world)(OPERATOR, { exported: linesOf(lines), partial });
    const problem = { code: 'export_unsealed', line: lines.length };
    expect(await run(false)).toEqual({ ok: false, error: problem });
    expect(unwrap(await run(true))).toMatchObject({ changes: [], problems: [problem] });
  });

  test('an export that lacks a seal in its middle is refused', async () => {
    unwrap(await revoke(live));
    const first = await exportedLines(live.world);
    await givenEvents(live.world, 1);
    const last = await exportedLines(live.world, anchorOf(first).last);
    await givenEvents(live.world, 1);
    const rest = await exportedLines(live.world, anchorOf(last).last);
    const run = (lines: readonly string[]) =>
      reapplyAuditEvents(restored.world)(OPERATOR, { exported: linesOf(lines) });
    expect(await run([...first, ...last, ...rest])).toMatchObject({ ok: true });
    expect(await run([...first, ...rest])).toMatchObject({
      error: { code: 'export_incomplete', last: anchorOf(last).last },
    });
    expect(await run([...first, ...first])).toMatchObject({ error: { code: 'export_not_genuine' } });
  });

  test('a backup of which no event was ever sealed is told apart from an export that is not genuine', async () => {
    const lines = await exportedLines(live.world);
    const unsealed = await createWorld();
    expect(await reapplyAuditEvents(unsealed)(OPERATOR, { exported: linesOf(lines) })).toEqual({
      ok: false,
      error: { code: 'backup_not_sealed' },
    });
  });

  test('an event that was removed from the log is missed, also where its seal is still there', async () => {
    unwrap(await revoke(live));
    const lines = await exportedLines(live.world);
    const gone = tampered(live.world, (stored) =>
      stored.event.action === 'token.revoked' ? undefined : stored,
    );
    const found = unwrap(await reapplyAuditEvents(gone)(OPERATOR, { exported: linesOf(lines) }));
    expect(found).toMatchObject({ events: 1, changes: [{ kind: 'token', id: live.token.id }] });
  });
});
