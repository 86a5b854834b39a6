import { beforeEach, expect, test } from 'vitest';
import {
  ADDRESS,
  aTokenRecord,
  CHOSEN,
  createFakeMailer,
  createLinksScene,
  type FakeMailer,
  givenServiceAccount,
  givenToken,
  inPerson,
  type LinksScene,
  OPERATOR,
  unwrap,
} from '../../testing/index.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import { mailInvitation } from '../links/manage-invitations.ts';
import { mailResetLink } from '../links/manage-reset-links.ts';
import { REQUEST_PAUSE_MS, requestPasswordReset } from '../links/request-password-reset.ts';
import type { Delivery, DeliveryId } from '../reactions/reaction.ts';
import { disableUser, setRole } from '../users/change-users.ts';
import type { User } from '../users/user.ts';
import { MAX_NOTICES, NOTICE_WINDOW_MS } from './held-notices.ts';
import type { LinkTarget } from './mail-links.ts';
import { createMailReaction } from './mail-reaction.ts';
import { setNoticePreferences } from './notice-preferences.ts';
import { sendDigests } from './send-digests.ts';

const ORIGIN = 'https://gatehouse.example';
const linkTo = (target: LinkTarget) =>
  `${ORIGIN}/${target.page}${'code' in target ? `#${target.code}` : 'id' in target ? `/${target.id}` : ''}`;

let scene: LinksScene;
let mailer: FakeMailer;
let ports: Parameters<typeof createMailReaction>[0];
let position = 0;
beforeEach(async () => {
  scene = await createLinksScene();
  mailer = createFakeMailer();
  ports = { ...scene.world, mailer, linkTo };
  position = 0;
});

/** Lets the reaction see events, as it sees them when they are sealed. */
async function react(...events: readonly AuditEvent[]) {
  const reaction = createMailReaction(ports);
  const sealed = events.map((event) => {
    position += 1;
    return { position: position as AuditPosition, event };
  });
  const wanted = sealed.filter(({ event }) => reaction.on.includes(event.action));
  const addressed = await reaction.address(wanted);
  const outcomes = [];
  for (const each of addressed) outcomes.push(await reaction.handle(deliveryOf(each)));
  return { addressed, outcomes };
}

const deliveryOf = (addressed: Omit<Delivery, 'id' | 'tries'>): Delivery => ({
  ...addressed,
  id: 1 as DeliveryId,
  tries: 0,
});

const newest = async () => (await scene.events(1))[0] ?? expect.fail();
const codeIn = (text: string | undefined) => /#(gh[il]_[\w-]{43})/.exec(text ?? '')?.[1] ?? expect.fail();
const aNotice = (subject: User, name = 'deploy') => givenToken(scene.world, subject, { name });
const about = (
  id: string,
  action: AuditEvent['action'],
  details: AuditEvent['details'] = {},
): AuditEvent => ({
  at: scene.world.clock.now(),
  actor: { kind: 'system' },
  origin: 'gatehouse',
  action,
  subject: { type: action.slice(0, action.indexOf('.')), id },
  accountId: scene.ada.accountId,
  details,
});

test('the owner of a token is told, with one link, and the message has a stable id', async () => {
  const { ada } = scene;
  const { id } = await aNotice(ada);
  const event = about(id, 'token.expires_soon', {
    name: 'deploy',
    days: 7,
    expires_at: '2026-12-05T09:00:00.000Z',
    used_lately: true,
  });
  const { addressed, outcomes } = await react(event);
  expect(addressed.map(({ lane }) => lane)).toEqual([`user ${ada.id}`]);
  expect(outcomes).toEqual([{ kind: 'done' }]);
  expect(mailer.sent).toEqual([
    {
      to: ada.email,
      messageId: `notice-1-${ada.id}`,
      subject: 'Token "deploy" expires in 7 days',
      text: `Hello Ada,

The token "deploy" expires in 7 days, on 2026-12-05. A program used it
within the last week.

Rotate the token or create another one before it expires. Requests with
it are refused afterwards.

${ORIGIN}/token/${id}

You get this message because you are responsible for the token. You can
turn these messages off in your profile, under Notifications.
`,
    },
  ]);
});

test('the person who answers for a service account is told of its tokens', async () => {
  const { ada, grace, world } = scene;
  const { user } = await givenServiceAccount(world, grace);
  const { id } = await aNotice({ ...user, accountId: ada.accountId });
  await react(about(id, 'token.unused', { name: 'nightly' }));
  expect(mailer.sent.map(({ to }) => to)).toEqual([grace.email]);
});

test('the recipients of many events are not read all at once', async () => {
  const { id } = await aNotice(scene.ada);
  let [running, most] = [0, 0];
  const findRecord: typeof ports.tokens.findRecord = async (token) => {
    running += 1;
    most = Math.max(most, running);
    const found = await scene.world.tokens.findRecord(token);
    running -= 1;
    return found;
  };
  ports = { ...ports, tokens: { ...ports.tokens, findRecord } };
  const { addressed } = await react(
    ...Array.from({ length: 20 }, () => about(id, 'token.unused', { name: 'deploy' })),
  );
  expect(addressed).toHaveLength(20);
  expect(most).toBeLessThanOrEqual(4);
});

test('sign-in tokens, unknown tokens and other events are not mailed', async () => {
  const { mia } = scene;
  const signIn = aTokenRecord({ kind: 'sign-in', user: mia });
  const findRecord = async (id: string) => (id === signIn.id ? signIn : undefined);
  ports = { ...ports, tokens: { ...ports.tokens, findRecord } };
  const { addressed } = await react(
    about(signIn.id, 'token.revoked'),
    about('01999999-0000-7000-8000-000000000000', 'token.revoked'),
    about(String(mia.id), 'user.renamed'),
  );
  expect(addressed).toEqual([]);
});

test('what a person turned off and who was disabled in the meantime are decided at delivery', async () => {
  const { ada, world } = scene;
  const { id } = await aNotice(ada);
  await setNoticePreferences(world)(inPerson(ada), { tokens: false, account: true });
  await react(about(id, 'token.unused', { name: 'deploy' }));
  expect(mailer.sent).toEqual([]);
  const event = about(String(ada.id), 'user.password_set');
  const reaction = createMailReaction(ports);
  const [addressed] = await reaction.address([{ position: 1 as AuditPosition, event }]);
  unwrap(await disableUser(world)(OPERATOR, { email: ada.email, reason: null, transferTo: null }));
  expect(await reaction.handle(deliveryOf(addressed ?? expect.fail()))).toEqual({ kind: 'done' });
  expect(mailer.sent).toEqual([]);
});

test('who is no longer an admin, or no longer answers for the token, gets no message about it', async () => {
  const { ada, grace, world } = scene;
  const { user } = await givenServiceAccount(world, grace);
  const { id } = await aNotice({ ...user, accountId: ada.accountId });
  const reaction = createMailReaction(ports);
  const events = [about(id, 'token.unused', { name: 'nightly' }), about('1', 'webhook.disabled')];
  const addressed = await reaction.address(
    events.map((event, index) => ({ position: (index + 1) as AuditPosition, event })),
  );
  const ofGrace = addressed.filter(({ lane }) => lane === `user ${grace.id}`);
  expect(ofGrace).toHaveLength(2);
  // The mail server was away for hours.
  unwrap(await setRole(world)(OPERATOR, { email: grace.email, role: 'member' }));
  for (const each of ofGrace) expect(await reaction.handle(deliveryOf(each))).toEqual({ kind: 'done' });
  expect(mailer.sent).toEqual([]);
});

test('a message that is wanted later is tried again, and one that is refused for good is dropped', async () => {
  const { mia } = scene;
  const event = about(String(mia.id), 'user.password_set');
  mailer.fail('deferred');
  expect((await react(event)).outcomes).toEqual([
    { kind: 'failed', problem: 'the mail server wants the message later' },
  ]);
  mailer.fail(undefined);
  mailer.refuse(mia.email);
  expect((await react(event)).outcomes).toEqual([
    { kind: 'dropped', problem: 'the mail server refuses the recipient' },
  ]);
});

test('more than ten messages in an hour become one, which is sent an hour later', async () => {
  const { ada, world } = scene;
  const tokens = await Promise.all(Array.from({ length: 13 }, (_, index) => aNotice(ada, `token ${index}`)));
  await react(...tokens.map(({ id }, index) => about(id, 'token.unused', { name: `token ${index}` })));
  expect(mailer.sent).toHaveLength(MAX_NOTICES);
  expect(await sendDigests(ports)()).toEqual({ more: false });
  expect(mailer.sent).toHaveLength(MAX_NOTICES);
  world.clock.advance(NOTICE_WINDOW_MS);
  await sendDigests(ports)();
  const digest = mailer.sent.at(-1);
  expect(digest).toMatchObject({
    to: ada.email,
    messageId: `digest-13-${ada.id}`,
    subject: '3 events on Gatehouse',
  });
  expect(digest?.text).toContain('- The token "token 12" was not used for 90 days.');
  world.clock.advance(NOTICE_WINDOW_MS);
  await sendDigests(ports)();
  expect(mailer.sent).toHaveLength(MAX_NOTICES + 1);
});

test('thousands of events become one message', async () => {
  const { ada, world } = scene;
  const { id } = await aNotice(ada);
  const events = 2000 + MAX_NOTICES;
  await react(...Array.from({ length: events }, () => about(id, 'token.unused', { name: 'deploy' })));
  world.clock.advance(NOTICE_WINDOW_MS);
  while ((await sendDigests(ports)()).more);
  expect(mailer.sent).toHaveLength(MAX_NOTICES + 1);
  expect(mailer.sent.at(-1)?.subject).toBe('2000 events on Gatehouse');
});

test('a digest that fails is tried again', async () => {
  const { ada, world } = scene;
  const { id } = await aNotice(ada);
  await react(...Array.from({ length: 11 }, () => about(id, 'token.unused', { name: 'deploy' })));
  world.clock.advance(NOTICE_WINDOW_MS);
  mailer.fail('not_reachable');
  await sendDigests(ports)();
  mailer.fail(undefined);
  await sendDigests(ports)();
  expect(mailer.sent).toHaveLength(MAX_NOTICES);
  world.clock.advance(10 * 60_000);
  await sendDigests(ports)();
  expect(mailer.sent).toHaveLength(MAX_NOTICES + 1);
});

test('a mailed invitation is accepted with the code of the message, and proves the address', async () => {
  const { ada, accept, world } = scene;
  const input = { email: 'noor@acme.example', name: null, role: 'member' } as const;
  const made = unwrap(await mailInvitation(world)(inPerson(ada), input));
  expect(JSON.stringify(made)).not.toMatch(/ghi_/);
  const event = await newest();
  expect(event).toMatchObject({ action: 'invitation.created', details: { mailed: true } });
  expect((await react(event)).outcomes).toEqual([{ kind: 'done' }]);
  expect(mailer.sent[0]).toMatchObject({ to: 'noor@acme.example' });
  const user = unwrap(await accept(codeIn(mailer.sent[0]?.text)));
  expect(await world.identities.findMeans(user.id)).toMatchObject({ emailProvedAt: world.clock.now() });
  expect((await scene.events(1))[0]).toMatchObject({ action: 'user.email_proved' });
});

test('an invitation that is shown is not mailed and proves nothing', async () => {
  const { ada, accept, inviteBy, world } = scene;
  const { code } = unwrap(await inviteBy(ada));
  expect((await react(await newest())).addressed).toEqual([]);
  const user = unwrap(await accept(code));
  expect(await world.identities.findMeans(user.id)).toMatchObject({ emailProvedAt: null });
});

test('each try has another code, and only the newest one works', async () => {
  const { ada, accept, world } = scene;
  const input = { email: 'noor@acme.example', name: null, role: 'member' } as const;
  unwrap(await mailInvitation(world)(inPerson(ada), input));
  const event = await newest();
  await react(event);
  // The same event again, as after a send whose end was not noted.
  position = 0;
  await react(event);
  const [first, second] = mailer.sent;
  expect(first?.messageId).not.toBe(second?.messageId);
  expect((await accept(codeIn(first?.text))).ok).toBe(false);
  expect((await accept(codeIn(second?.text))).ok).toBe(true);
});

test('a link that is shown instead ends the mailed one', async () => {
  const { ada, accept, inviteBy, world } = scene;
  const input = { email: 'noor@acme.example', name: null, role: 'member' } as const;
  unwrap(await mailInvitation(world)(inPerson(ada), input));
  const event = await newest();
  await react(event);
  const { code } = unwrap(await inviteBy(ada, 'noor@acme.example'));
  expect((await accept(codeIn(mailer.sent[0]?.text))).ok).toBe(false);
  expect((await react(event)).outcomes).toEqual([
    { kind: 'dropped', problem: 'the invitation is no longer open' },
  ]);
  const user = unwrap(await accept(code));
  expect(await world.identities.findMeans(user.id)).toMatchObject({ emailProvedAt: null });
});

test('a mailed reset link sets the password, and a shown one is told to the user', async () => {
  const { ada, mia, createLink, reset, world } = scene;
  unwrap(await mailResetLink(world)(inPerson(ada), { id: mia.id }));
  await react(await newest());
  expect(mailer.sent[0]).toMatchObject({ to: mia.email, subject: 'Your new password on Gatehouse' });
  expect((await reset(codeIn(mailer.sent[0]?.text))).ok).toBe(true);
  unwrap(await createLink(inPerson(ada), { id: mia.id }));
  await react(await newest());
  expect(mailer.sent[1]).toMatchObject({
    to: mia.email,
    subject: 'A password reset link was created for you',
  });
  expect(mailer.sent[1]?.text).not.toMatch(/ghl_/);
});

test('of several reset links for a user, only the newest one is mailed', async () => {
  const { ada, mia, reset, world } = scene;
  const asked: AuditEvent[] = [];
  for (let count = 0; count < 3; count += 1) {
    world.clock.advance(1000);
    unwrap(await mailResetLink(world)(inPerson(ada), { id: mia.id }));
    asked.push(await newest());
  }
  const dropped = { kind: 'dropped', problem: 'the password reset link is no longer open' };
  expect((await react(...asked)).outcomes).toEqual([dropped, dropped, { kind: 'done' }]);
  expect(mailer.sent).toHaveLength(1);
  expect((await reset(codeIn(mailer.sent[0]?.text))).ok).toBe(true);
});

test('a forgotten password: the same answer for every address, and a link only for a member', async () => {
  const { ada, mia, reset, world } = scene;
  const ask = (email: string) => requestPasswordReset(world)({ email, address: ADDRESS });
  const before = await newest();
  for (const email of [ada.email, 'unknown@acme.example', 'not an address', ''])
    expect(await ask(email)).toEqual({ ok: true, value: undefined });
  expect(await newest()).toEqual(before);
  expect(await ask(mia.email.toUpperCase())).toEqual({ ok: true, value: undefined });
  const asked = await newest();
  expect(asked).toMatchObject({ action: 'user.reset_requested', actor: { kind: 'system' }, origin: ADDRESS });
  expect(await ask(mia.email)).toEqual({ ok: true, value: undefined });
  expect(await newest()).toEqual(asked);
  await react(asked);
  const code = codeIn(mailer.sent[0]?.text);
  expect(mailer.sent).toHaveLength(1);
  expect((await reset(code, CHOSEN)).ok).toBe(true);
  expect(await world.resetLinks.findLastReset(mia.id)).toMatchObject({ madeBy: mia.email });
  world.clock.advance(REQUEST_PAUSE_MS);
  await ask(mia.email);
  expect(await newest()).toMatchObject({ action: 'user.reset_requested' });
});

test('a message with a link waits for no other message of the person', async () => {
  const { ada, mia, world } = scene;
  unwrap(await mailResetLink(world)(inPerson(ada), { id: mia.id }));
  const mailed = await newest();
  await requestPasswordReset(world)({ email: mia.email, address: ADDRESS });
  const { addressed } = await react(about(String(mia.id), 'user.password_set'), mailed, await newest());
  expect(new Set(addressed.map(({ lane }) => lane)).size).toBe(3);
});

test('no event has the code of a mailed link', async () => {
  const { ada, mia, world } = scene;
  const input = { email: 'noor@acme.example', name: null, role: 'member' } as const;
  unwrap(await mailInvitation(world)(inPerson(ada), input));
  unwrap(await mailResetLink(world)(inPerson(ada), { id: mia.id }));
  await react(...(await scene.events(2)));
  expect(mailer.sent).toHaveLength(2);
  expect(JSON.stringify(await scene.events(100))).not.toMatch(/gh[il]_/);
});
