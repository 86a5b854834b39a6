import { openMailReceiver } from '@gatehouse/mail/testing';
import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { serveDataFolder } from '../../testing/spawn-server.ts';

const ORIGIN = 'https://gatehouse.example';
const CHOSEN = { 'New password': 'seven green teapots', 'Confirm new password': 'seven green teapots' };

/** A server process, and a mail server that receives what it sends. */
async function open() {
  await using starting = new AsyncDisposableStack();
  const receiver = starting.use(await openMailReceiver());
  const server = starting.use(
    await serveDataFolder({
      SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
      SMTP_TLS: 'off',
      MAIL_FROM: 'Gatehouse <gatehouse@acme.example>',
      PUBLIC_URL: ORIGIN,
    }),
  );
  const stack = starting.move();
  return {
    receiver,
    server,
    visitor: () => createVisitor([server.url], ORIGIN),
    /** Waits for the sealing of the events and for the reaction, which is some ten seconds. */
    linkTo: async (address: string) => {
      const { text } = await receiver.mailTo(address);
      return /https:\/\/gatehouse\.example\S+#gh[il]_[\w-]{43}/.exec(text)?.[0] ?? expect.fail(text);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('the links of an invitation and of a forgotten password arrive by mail and work', {
  timeout: 120_000,
}, async () => {
  await using scene = await open();
  const admin = scene.visitor();
  const invite = await admin.signIn(scene.server.demo.admin, '/sign-in?next=/settings/users/invitations/new');
  const sent = await invite.submit('Send invitation', { Email: 'noor@acme.example' });
  expect([sent.heading, /gh[il]_/.test(sent.html)]).toEqual(['Invitation sent', false]);

  const invited = scene.visitor();
  const link = await scene.linkTo('noor@acme.example');
  const open1 = await (await invited.get('/invitation')).submit('Continue', { Code: link });
  const joined = await open1.submit('Join', { Name: 'Noor', ...CHOSEN });
  expect(joined.path).toBe('/sign-in');

  const { email } = scene.server.demo.member;
  const forgot = await (await scene.visitor().get('/forgot-password')).submit('Send link', { Email: email });
  expect(forgot.heading).toBe('Check your email');
  const reset = scene.visitor();
  const code = await scene.linkTo(email);
  const choose = await (await reset.get('/password-reset')).submit('Continue', { Code: code });
  expect((await choose.submit('Set password', CHOSEN)).path).toBe('/sign-in');
  const signedIn = await reset.signIn({ email, password: CHOSEN['New password'] });
  expect(signedIn.status).toBe(200);
  expect(scene.server.out()).not.toMatch(/gh[il]_[\w-]{43}/);
});
