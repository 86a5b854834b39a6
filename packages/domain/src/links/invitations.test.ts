import { beforeEach, expect, test } from 'vitest';
import {
  ADDRESS,
  allPages,
  createLinksScene,
  inPerson,
  type LinksScene,
  OPERATOR,
  unwrap,
} from '../../testing/index.ts';
import type { Pages } from '../paging.ts';
import { err } from '../result.ts';
import { addMilliseconds } from '../time/index.ts';
import { setRole } from '../users/change-users.ts';
import { INVITATION_MS, type Invitation, MAX_OPEN_INVITATIONS } from './invitation.ts';

const DEAD = err({ code: 'link_not_accepted' });

let scene: LinksScene;
beforeEach(async () => {
  scene = await createLinksScene();
});

const idsOf = async (pages: Pages<Invitation>) => (await allPages(pages)).flat().map(({ id }) => id);

test('an invited person becomes a user of the account, with the own name and password, once', async () => {
  const { invite, openInvitation, accept, events, ada, world } = scene;
  const input = { email: 'Noor@Acme.Example', name: 'N.', role: 'member' } as const;
  const { invitation, code } = unwrap(await invite(inPerson(ada), input));
  expect(invitation).toMatchObject({ ...input, accountId: ada.accountId, invitedBy: { id: ada.id } });
  expect(invitation.expiresAt).toBe(addMilliseconds(world.clock.now(), INVITATION_MS));
  expect(await openInvitation(code)).toMatchObject({ value: { invitation, account: { name: 'Acme' } } });
  const user = unwrap(await accept(` ${code} `, { name: ' Noor ' }));
  expect(user).toMatchObject({ email: input.email, name: 'Noor', role: 'member', accountId: ada.accountId });
  expect(await accept(code)).toEqual(DEAD);
  expect(await openInvitation(code)).toEqual(DEAD);
  const by = { actor: { kind: 'user', id: user.id }, origin: ADDRESS, accountId: ada.accountId };
  expect((await events(3)).map(({ action, ...event }) => ({ action, ...event }))).toMatchObject([
    { action: 'invitation.created', actor: { kind: 'user', id: ada.id } },
    { action: 'invitation.accepted', subject: { type: 'invitation', id: invitation.id }, ...by },
    { action: 'user.created', subject: { type: 'user', id: String(user.id) }, ...by },
  ]);
});

test('a code is found in the link and in the message that a person pastes instead of the code', async () => {
  const { inviteBy, openInvitation, ada } = scene;
  const { code } = unwrap(await inviteBy(ada));
  const link = `https://gatehouse.example/invitation#${code}`;
  const rewritten = `https://mail.example/?url=${encodeURIComponent(link)}&data=1`;
  for (const pasted of [link, `<${link}>`, `Open this link: ${link}. It works once.`, rewritten])
    expect(await openInvitation(pasted)).toMatchObject({ ok: true });
  for (const wrong of [`${link}x`, link.slice(0, -1), link.replace('ghi_', 'ghl_')])
    expect(await openInvitation(wrong)).toEqual(DEAD);
});

test('neither the store nor an event has the code', async () => {
  const { inviteBy, events, world, ada } = scene;
  const { code } = unwrap(await inviteBy(ada));
  const stored = await world.invitations.list({ at: world.clock.now(), limit: 10 });
  expect(JSON.stringify([stored, await events(10)])).not.toContain(code.slice(4));
});

test('every dead code has the same answer: unknown, used, expired, revoked, replaced', async () => {
  const { inviteBy, accept, openInvitation, revoke, ada, world } = scene;
  const used = unwrap(await inviteBy(ada, 'used@acme.example'));
  unwrap(await accept(used.code));
  const revoked = unwrap(await inviteBy(ada, 'revoked@acme.example'));
  unwrap(await revoke(inPerson(ada), revoked.invitation.id));
  const replaced = unwrap(await inviteBy(ada, 'again@acme.example'));
  unwrap(await inviteBy(ada, 'again@acme.example'));
  const expired = unwrap(await inviteBy(ada, 'late@acme.example'));
  world.clock.advance(INVITATION_MS);
  const unknown = world.linkCodes.create('invitation').code;
  const reset = world.linkCodes.create('reset').code;
  for (const code of [used.code, revoked.code, replaced.code, expired.code, unknown, reset, 'x', '']) {
    expect(await openInvitation(code)).toEqual(DEAD);
    expect(await accept(code, { name: '' })).toEqual(DEAD);
  }
});

test('an address of another account is answered as a new one, when it is invited and when it accepts', async () => {
  const { inviteBy, accept, eve, ada, world } = scene;
  const shape = (made: Awaited<ReturnType<typeof inviteBy>>) => {
    const { invitation, code } = unwrap(made);
    return { keys: Object.keys(invitation).toSorted(), length: code.length };
  };
  const [fresh, foreign] = [await inviteBy(ada), await inviteBy(ada, eve.email)];
  expect(shape(foreign)).toEqual(shape(fresh));
  expect(await accept(unwrap(foreign).code)).toEqual(DEAD);
  expect(await world.users.findById(eve.id)).toEqual(eve);
  expect(await inviteBy(ada, ada.email)).toEqual(err({ code: 'email_taken' }));
});

test('only the operator invites an admin; an admin invites to the own account', async () => {
  const { invite, accept, ada, eve, mia } = scene;
  const input = { email: 'boss@acme.example', name: null };
  const denied = err({ code: 'not_allowed' });
  expect(await invite(inPerson(ada), { ...input, role: 'admin' })).toEqual(denied);
  const asAda = { ...inPerson(ada), operator: 'root' };
  expect(await invite(asAda, { ...input, role: 'admin' })).toEqual(denied);
  expect(await invite(inPerson(ada), { ...input, role: 'member', accountId: eve.accountId })).toEqual(denied);
  expect(await invite(inPerson(mia), { ...input, role: 'member' })).toEqual(denied);
  expect(await invite(OPERATOR, { ...input, role: 'admin' })).toEqual(err({ code: 'account_not_found' }));
  const { code } = unwrap(await invite(OPERATOR, { ...input, role: 'admin', accountId: ada.accountId }));
  expect(await accept(code)).toMatchObject({ value: { role: 'admin', accountId: ada.accountId } });
});

test('an admin sees and revokes those of the own account, and the operator all', async () => {
  const { inviteBy, list, revoke, ada, grace, eve, mia } = scene;
  const own = unwrap(await inviteBy(ada)).invitation;
  const foreign = unwrap(await inviteBy(eve)).invitation;
  expect(await idsOf(unwrap(await list(inPerson(grace), { accountId: eve.accountId })))).toEqual([own.id]);
  expect(await idsOf(unwrap(await list(OPERATOR, {})))).toEqual([own.id, foreign.id]);
  expect(await list(inPerson(mia), {})).toEqual(err({ code: 'not_allowed' }));
  expect(await revoke(inPerson(ada), foreign.id)).toEqual(err({ code: 'invitation_not_found' }));
  expect(await revoke(inPerson(grace), own.id)).toMatchObject({ ok: true });
  expect(await revoke(OPERATOR, foreign.id)).toMatchObject({ ok: true });
});

test('an admin who was demoted after a request began invites no user, and the own invitations end', async () => {
  const { inviteBy, accept, ada, world } = scene;
  const { code } = unwrap(await inviteBy(ada));
  unwrap(await setRole(world)(OPERATOR, { email: ada.email, role: 'member' }));
  expect(await accept(code)).toEqual(DEAD);
  // The caller still is what the request found when it began.
  expect(await inviteBy(ada)).toEqual(err({ code: 'not_allowed' }));
  unwrap(await setRole(world)(OPERATOR, { email: ada.email, role: 'admin' }));
  expect(await accept(code)).toEqual(DEAD);
});

test('an account has at most 100 open invitations', async () => {
  const { inviteBy, ada } = scene;
  for (let n = 0; n < MAX_OPEN_INVITATIONS; n += 1) unwrap(await inviteBy(ada, `n${n}@acme.example`));
  expect(await inviteBy(ada)).toEqual(err({ code: 'too_many_invitations' }));
  unwrap(await inviteBy(ada, 'n0@acme.example'));
});

test('a bad address, name or password is refused, and the invitation stays open', async () => {
  const { invite, inviteBy, accept, ada } = scene;
  const bad = await invite(inPerson(ada), { email: 'a\u2063da@acme.example', name: ' ', role: 'member' });
  expect(bad).toMatchObject({ error: { problems: [{ field: 'email' }, { field: 'name' }] } });
  const { code } = unwrap(await inviteBy(ada));
  expect(await accept(code, { name: '', password: 'short' })).toMatchObject({
    error: { problems: [{ field: 'name' }, { field: 'password' }] },
  });
  expect((await accept(code)).ok).toBe(true);
});

test('codes count as attempts of their address, and lock out no other', async () => {
  const { accept, inviteBy, ada, world } = scene;
  const { code } = unwrap(await inviteBy(ada));
  for (let n = 0; n < 100; n += 1) await accept(world.linkCodes.create('invitation').code);
  expect(await accept(code)).toMatchObject({ error: { code: 'too_many_attempts', limit: 'address' } });
  world.clock.advance(15 * 60_000);
  expect((await accept(code)).ok).toBe(true);
});
