import { beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  anEvent,
  createWorldWithAdmins,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { showToken } from '../tokens/administration/show-token.ts';
import type { User } from '../users/user.ts';
import type { AuditEvent } from './audit-event.ts';
import { type ListAccountAuditEventsInput, listAccountAuditEvents } from './list-account-audit-events.ts';

describe('listAccountAuditEvents', () => {
  let world: World;
  let ada: User;
  let eve: User;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
  });

  const record = (...events: readonly Partial<AuditEvent>[]) =>
    Promise.all(
      events.map((parts) =>
        world.accounts.insert({ name: 'Another', createdAt: world.clock.now() }, () =>
          anEvent({ at: world.clock.now(), accountId: ada.accountId, ...parts }),
        ),
      ),
    );
  const attempt = (question: Partial<ListAccountAuditEventsInput> = {}, by: User = ada) =>
    listAccountAuditEvents(world)(inPerson(by), { limit: 100, ...question });
  const ask = async (...question: Parameters<typeof attempt>) =>
    (await allPages(unwrap(await attempt(...question)))).flat();
  const idsOf = async (...question: Parameters<typeof attempt>) =>
    (await ask(...question)).map(({ event }) => event.subject.id);

  test('an admin reads all events of the account, and none of another or of no account', async () => {
    await record(
      { subject: { type: 'token', id: 'mine' } },
      { subject: { type: 'token', id: 'theirs' }, accountId: eve.accountId },
      { subject: { type: 'key', id: 'no account’s' }, accountId: null },
      { subject: { type: 'organization', id: 'mine, too' } },
    );
    const ids = await idsOf();
    expect(ids.slice(0, 2)).toEqual(['mine, too', 'mine']);
    expect(ids).not.toContain('theirs');
    expect(ids).not.toContain('no account’s');
    expect(await idsOf({}, eve)).toContain('theirs');
  });

  test('neither a member, nor a token, nor the operator reads them', async () => {
    const member = await givenUser(world, ada.accountId, { role: 'member' });
    const notAllowed = err({ code: 'not_allowed' });
    expect(await attempt({}, member)).toEqual(notAllowed);
    const list = listAccountAuditEvents(world);
    expect(await list({ ...inPerson(ada), scopes: ['*'] }, { limit: 1 })).toEqual(notAllowed);
    expect(await list(OPERATOR as never, { limit: 1 })).toEqual(notAllowed);
  });

  test('what an operator did is told without the name and the machine, here and in a token’s history', async () => {
    const { id } = await givenToken(world, ada);
    const operator = { kind: 'operator', name: 'root@machine' } as const;
    const parts = { action: 'token.revoked', subject: { type: 'token', id }, origin: 'machine' } as const;
    await record({ ...parts, actor: operator }, { ...parts, actor: { kind: 'user', id: ada.id } });
    const told = [
      { actor: { kind: 'user', id: ada.id }, origin: 'machine' },
      { actor: { kind: 'operator' }, origin: null },
    ];
    const entries = await ask({ subject: { type: 'token', id } });
    const { history } = unwrap(await showToken(world)(inPerson(ada), id));
    for (const seen of [entries, history.toReversed()]) {
      expect(seen.map(({ event: { actor, origin } }) => ({ actor, origin }))).toEqual(told);
    }
    expect(JSON.stringify(await ask())).not.toContain('root@machine');
    const whole = unwrap(await showToken(world)(OPERATOR, id)).history;
    expect(whole[0]?.event).toMatchObject({ actor: operator, origin: 'machine' });
  });

  test('an actor and a user who is the subject are users of the account, by their emails', async () => {
    await record({ subject: { type: 'user', id: String(ada.id) }, actor: { kind: 'user', id: ada.id } });
    expect(await idsOf({ actor: ada.email.toUpperCase() })).toEqual([String(ada.id)]);
    const subject = { type: 'user', email: ada.email } as const;
    expect(await idsOf({ subject, actor: ada.email })).toEqual([String(ada.id)]);
    const notFound = err({ code: 'user_not_found' });
    for (const email of [eve.email, 'unknown@acme.example', 'root@machine']) {
      expect(await attempt({ actor: email })).toEqual(notFound);
      expect(await attempt({ subject: { type: 'user', email } })).toEqual(notFound);
    }
  });

  test('types of subjects and an action select together', async () => {
    await record(
      { action: 'token.created', subject: { type: 'token', id: 'made' } },
      { action: 'token.revoked', subject: { type: 'token', id: 'ended' } },
      { action: 'organization.deleted', subject: { type: 'organization', id: 'gone' } },
      { action: 'user.disabled', subject: { type: 'user', id: 'off' } },
    );
    expect(await idsOf({ subjectTypes: ['token', 'user'], limit: 3 })).toEqual(['off', 'ended', 'made']);
    expect(await idsOf({ subjectTypes: ['organization'] })).toEqual(['gone']);
    expect(await idsOf({ action: 'token.revoked' })).toEqual(['ended']);
    expect(await idsOf({ action: 'token.revoked', subjectTypes: ['token'] })).toEqual(['ended']);
    expect(await idsOf({ action: 'token.revoked', subjectTypes: ['user'] })).toEqual([]);
    const actions = ['token.revoked', 'user.disabled'] as const;
    expect(await idsOf({ actions })).toEqual(['off', 'ended']);
    expect(await idsOf({ actions, subjectTypes: ['token'] })).toEqual(['ended']);
  });

  test('pages follow each other by the last entry, and times select as for operators', async () => {
    await record({}, {}, {});
    const all = await ask();
    expect(all.length).toBeGreaterThan(2);
    const [first] = await ask({ limit: 1 });
    expect(first).toEqual(all[0]);
    expect(await ask({ before: first?.id })).toEqual(all.slice(1));
    world.clock.advance(10_000);
    await record({ subject: { type: 'token', id: 'late' } });
    expect(await idsOf({ since: { ago: 5000 } })).toEqual(['late']);
    expect(await ask({ until: { ago: 5000 } })).toEqual(all);
  });
});
