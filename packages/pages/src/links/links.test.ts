import { createResetLink, inviteUser } from '@gatehouse/domain/links';
import { GOOD, givenPerson, inPerson, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { renameSelf, setRole } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { givenInvitationCode, givenResetCode } from '../../testing/page-forms/links-forms.ts';
import { servePages } from '../../testing/serve-pages.ts';

const INVITATIONS = '/settings/users/invitations';
const NEW = `${INVITATIONS}/new`;
const CHOSEN = 'seven green teapots';
const DEAD = 'This code is not valid, or no longer valid. Ask for a new link.';
const typed = (password: string, again = password) => ({
  'New password': password,
  'Confirm new password': again,
});

/** Returns the code in the link that a page shows once. */
const codeIn = (html: string) => /#(gh[il]_[\w-]{43})</.exec(html)?.[1] ?? expect.fail(html);

test('an admin invites a person, who sets a name and a password and signs in', async () => {
  await using scene = await servePages();
  const admin = await scene.signedIn();
  const made = await (await admin.get(NEW)).submit('Create invitation', { Email: 'noor@acme.example' });
  expect([made.status, made.heading]).toEqual([200, 'Invitation created']);
  const code = codeIn(made.html);
  expect(made.html).toContain(`<code class="secret" id="link">${scene.url}/invitation#${code}</code>`);
  const visitor = scene.visitor();
  const first = await visitor.get('/invitation');
  const second = await first.submit('Continue', { Code: `${scene.url}/invitation#${code}` });
  expect(second.text).toContain('Join Acme as a member with the address noor@acme.example.');
  const after = await second.submit('Join', { Name: 'Noor', ...typed(CHOSEN) });
  expect([after.path, after.messages]).toEqual([
    '/sign-in',
    ['You joined the account. Sign in with your new password.'],
  ]);
  expect((await visitor.signIn({ email: 'noor@acme.example', password: CHOSEN })).status).toBe(200);
  expect(scene.lines.join('')).not.toContain(code);
  expect((await admin.get(INVITATIONS)).text).toContain('No open invitations');
});

test('opening the page, and looking at what a code is for, uses nothing up', async () => {
  await using scene = await servePages();
  const code = await givenInvitationCode(scene);
  const visitor = scene.visitor();
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await visitor.ask(`/invitation?code=${code}`)).status).toBe(200);
    const second = await (await visitor.get('/invitation')).submit('Continue', { Code: code });
    expect(second.forms.map(({ button }) => button)).toContain('Join');
  }
});

test('every dead code gets the same page', async () => {
  await using scene = await servePages();
  const { world, people } = scene;
  const used = await givenInvitationCode(scene);
  const visitor = scene.visitor();
  const open = async (code: string, path = '/invitation') =>
    (await visitor.get(path)).submit('Continue', { Code: code });
  await (await open(used)).submit('Join', typed(CHOSEN));
  const admin = await scene.signedIn();
  const revoked = await givenInvitationCode(scene, 'gone@acme.example');
  expect((await (await admin.get(INVITATIONS)).submit('Revoke')).messages).toEqual([
    'The invitation was revoked. Its link no longer works.',
  ]);
  const foreign = unwrap(
    await inviteUser(world)(OPERATOR, {
      accountId: people.admin.accountId,
      email: 'late@acme.example',
      name: null,
      role: 'member',
    }),
  ).code;
  world.clock.advance(8 * 86_400_000);
  const unknown = world.linkCodes.create('invitation').code;
  const pages = [used, revoked, foreign, unknown, 'x'].map((code) => open(code));
  for (const page of await Promise.all(pages)) {
    expect([page.status, page.messages, page.heading]).toEqual([422, [DEAD], 'Accept your invitation']);
    expect(page.html).not.toContain('ghi_');
  }
  expect((await open(unknown, '/password-reset')).messages).toEqual([DEAD]);
});

test('a member sets a new password by a link of an admin', async () => {
  await using scene = await servePages();
  const { member } = scene.people;
  const admin = await scene.signedIn();
  const made = await (await admin.get(`/settings/users/${member.id}/reset-link`)).submit('Create link');
  expect(made.heading).toBe('Password reset link created');
  const visitor = scene.visitor();
  const second = await (await visitor.get('/password-reset')).submit('Continue', {
    Code: codeIn(made.html),
  });
  const different = await second.submit('Set password', typed(CHOSEN, 'x'));
  expect([different.status, different.text]).toEqual([
    422,
    expect.stringContaining('Passwords do not match.'),
  ]);
  // The name that the admin has when the link is used cannot speak for another person.
  unwrap(await renameSelf(scene.world)(inPerson(scene.people.admin), { name: 'an operator' }));
  const weak = await different.submit('Set password', typed('short'));
  expect([weak.status, weak.text]).toEqual([422, expect.stringContaining('New password must be 12 to 1024')]);
  const after = await weak.submit('Set password', typed(CHOSEN));
  expect([after.path, after.messages]).toEqual([
    '/sign-in',
    ['Your password was changed, and all your sessions were ended. Sign in with the new password.'],
  ]);
  expect((await visitor.signIn({ email: member.email, password: CHOSEN })).status).toBe(200);
  expect((await visitor.get('/settings/sessions')).text).toContain(
    'Your password was reset just now with a link that the admin ada@acme.example created.',
  );
  expect((await scene.visitor().signIn({ email: member.email, password: PASSWORD })).status).toBe(401);
});

test('a browser in which another user is signed in says so, and tells this user nothing afterwards', async () => {
  await using scene = await servePages();
  const { member } = scene.people;
  const browser = await scene.signedIn();
  const first = await browser.get('/password-reset');
  const second = await first.submit('Continue', { Code: await givenResetCode(scene) });
  expect(second.text).toContain(
    `This browser is signed in as ${GOOD.email}. This page is for ${member.email}.`,
  );
  const done = await second.submit('Set password', typed(CHOSEN));
  expect([done.status, done.heading]).toEqual([200, 'The password was changed']);
  expect(done.text).toContain(`This browser is still signed in as ${GOOD.email}.`);
  expect((await browser.get('/settings/api')).messages).toEqual([]);
  expect((await done.submit('Sign out to continue')).path).toBe('/sign-in');
  // Who is signed in as the user of the link is signed out by the reset.
  const own = await scene.signedIn({ email: member.email, password: CHOSEN });
  const again = await (await own.get('/password-reset')).submit('Continue', {
    Code: await givenResetCode(scene),
  });
  expect(again.text).not.toContain('This browser is signed in');
  expect((await again.submit('Set password', typed(`${CHOSEN}!`))).path).toBe('/sign-in');
});

test('a code that has to wait stays in the form', async () => {
  await using scene = await servePages();
  const code = await givenInvitationCode(scene);
  const page = await scene.visitor().get('/invitation');
  const send = () => page.submit('Continue', { Code: code });
  let sent = await send();
  for (let turn = 0; turn < 200 && sent.status === 200; turn += 1) sent = await send();
  expect(sent.status).toBe(429);
  scene.world.clock.advance(60 * 60_000);
  expect((await sent.submit('Continue')).text).toContain('Join Acme');
});

test('a refused choice names every problem, and counts as one attempt', async () => {
  await using scene = await servePages();
  const { admit } = scene.world.throttle;
  let attempts = 0;
  scene.world.throttle.admit = (attempt) => {
    attempts += 1;
    return admit.call(scene.world.throttle, attempt);
  };
  const code = await givenInvitationCode(scene);
  const first = await scene.visitor().get('/invitation');
  const second = await first.submit('Continue', { Code: code });
  attempts = 0;
  const both = await second.submit('Join', typed('short', 'other'));
  for (const problem of ['New password must be 12 to 1024', 'Passwords do not match.'])
    expect(both.text).toContain(problem);
  const weak = await both.submit('Join', typed('short'));
  expect([weak.status, attempts]).toEqual([422, 2]);
});

test.each([
  ['$(date)@acme.example', "'$(date)@acme.example'"],
  ["o'hara;date@acme.example", "'o'\\''hara;date@acme.example'"],
  ['--as=eve@acme.example', '-- --as=eve@acme.example'],
])('the command for the operator has the address %s as one word', async (email, word) => {
  await using scene = await servePages();
  const other = await givenPerson(scene.world, { accountId: scene.people.account.id, email });
  unwrap(await setRole(scene.world)(OPERATOR, { email, role: 'admin' }));
  const page = await (await scene.signedIn()).get(`/settings/users/${other.id}`);
  expect(page.text).toContain(`gatehouse user reset-link ${word}`);
});

test('an admin gets no link for an admin, nor for a user of another account', async () => {
  await using scene = await servePages();
  const { world, people } = scene;
  const { admin, member } = people;
  const visitor = await scene.signedIn();
  const page = await visitor.get(`/settings/users/${admin.id}/reset-link`);
  expect(page.text).toContain('Only an operator can reset the password of an admin:');
  expect(page.html).not.toContain('Create link');
  const grace = await givenPerson(world, { accountId: admin.accountId, email: 'grace@acme.example' });
  const shown = await visitor.get(`/settings/users/${grace.id}`);
  expect(shown.text).toContain('gatehouse user reset-link grace@acme.example');
  unwrap(await setRole(world)(OPERATOR, { email: grace.email, role: 'member' }));
  const former = await (await visitor.get(`/settings/users/${grace.id}/reset-link`)).submit('Create link');
  expect([former.status, former.html.includes('Create link')]).toEqual([409, false]);
  expect(former.text).toContain('Only an operator can reset the password of a former admin:');
  for (const id of ['999999', 'x']) {
    const path = `/settings/users/${id}/reset-link`;
    expect((await visitor.get(path)).status).toBe(404);
  }
  const code = await givenResetCode(scene);
  unwrap(await setRole(world)(OPERATOR, { email: member.email, role: 'admin' }));
  const dead = await (await scene.visitor().get('/password-reset')).submit('Continue', { Code: code });
  expect(dead.messages).toEqual([DEAD]);
  expect(await createResetLink(world)(inPerson(admin), { id: member.id })).toMatchObject({ ok: false });
});

test('a member sees neither the invitations nor the forms', async () => {
  await using scene = await servePages();
  const { member } = scene.people;
  const visitor = await scene.signedIn({ ...GOOD, email: member.email });
  for (const path of [INVITATIONS, NEW, `/settings/users/${member.id}/reset-link`])
    expect((await visitor.get(path)).status).toBe(403);
});

test('a refused invitation says why at its field', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const taken = await (await visitor.get(NEW)).submit('Create invitation', { Email: GOOD.email });
  expect([taken.status, taken.messages[1]]).toEqual([422, 'A user of your account has this address.']);
  const bad = await (await visitor.get(NEW)).submit('Create invitation', { Email: 'a\u2063b@acme.example' });
  expect([bad.status, bad.messages[1]]).toEqual([422, 'Email must be an address such as ada@acme.example.']);
});

test('the page of a code has the script that takes the code out of the address', async () => {
  await using scene = await servePages();
  const page = await scene.visitor().get('/invitation');
  expect(page.html).toMatch(/src="\/assets\/link-code-[0-9a-f]{12}\.js"/);
});
