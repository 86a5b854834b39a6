import { expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';

const NEW = '/settings/users/invitations/new';
const WITH_MAIL = { isMailSetUp: true } as const;

test('an invitation is mailed, and the page never has its code', async () => {
  await using scene = await servePages(WITH_MAIL);
  const admin = await scene.signedIn();
  const sent = await (await admin.get(NEW)).submit('Send invitation', { Email: 'noor@acme.example' });
  expect([sent.status, sent.heading]).toEqual([200, 'Invitation sent']);
  expect(sent.text).toContain('A link is on its way to noor@acme.example. It works once, for 7 days.');
  expect(sent.html).not.toMatch(/gh[il]_/);
  const [{ event } = expect.fail()] = await scene.world.audit.list({ limit: 1 });
  expect(event).toMatchObject({ action: 'invitation.created', details: { mailed: true } });
});

test('a link that is shown instead replaces the mailed one', async () => {
  await using scene = await servePages(WITH_MAIL);
  const admin = await scene.signedIn();
  const filled = { Email: 'noor@acme.example', Name: 'Noor' };
  const sent = await (await admin.get(NEW)).submit('Send invitation', filled);
  const shown = await sent.submit('Show the link instead');
  expect([shown.status, shown.heading]).toEqual([200, 'Invitation created']);
  expect(shown.html).toMatch(/#ghi_[\w-]{43}</);
  const [invitation, ...others] = await scene.world.invitations.list({
    at: scene.world.clock.now(),
    limit: 10,
  });
  expect(others).toEqual([]);
  expect(invitation).toMatchObject({ email: 'noor@acme.example', name: 'Noor', isMailed: false });
});

test('a form that asks for the password again still shows the link', async () => {
  await using scene = await servePages(WITH_MAIL);
  const admin = await scene.signedIn();
  const sent = await (await admin.get(NEW)).submit('Send invitation', { Email: 'noor@acme.example' });
  scene.world.clock.advance(11 * 60_000);
  const again = await sent.submit('Show the link instead');
  expect(again.status).toBe(422);
  const shown = await again.submit('Create invitation', { Password: 'correct horse battery' });
  expect(shown.heading).toBe('Invitation created');
});

test('a reset link is mailed, and another one is shown instead', async () => {
  await using scene = await servePages(WITH_MAIL);
  const admin = await scene.signedIn();
  const path = `/settings/users/${scene.people.member.id}/reset-link`;
  const sent = await (await admin.get(path)).submit('Send link');
  expect([sent.status, sent.heading]).toEqual([200, 'Password reset link sent']);
  expect(sent.html).not.toMatch(/gh[il]_/);
  const shown = await sent.submit('Show the link instead');
  expect(shown.heading).toBe('Password reset link created');
  expect(shown.html).toMatch(/#ghl_[\w-]{43}</);
});

test('without a mail server links are shown', async () => {
  await using scene = await servePages();
  const admin = await scene.signedIn();
  const made = await (await admin.get(NEW)).submit('Create invitation', { Email: 'noor@acme.example' });
  expect(made.html).toMatch(/#ghi_[\w-]{43}</);
});
