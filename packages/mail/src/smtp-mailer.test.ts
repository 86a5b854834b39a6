import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Mail } from '@gatehouse/domain/mail';
import { mailerContract } from '@gatehouse/domain/testing/contracts';
import type { Email } from '@gatehouse/domain/users';
import { type Certificates, createCertificates, hasOpenSsl } from '@gatehouse/test-database';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openMailReceiver, type ReceiverOptions } from '../testing/index.ts';
import type { MailServer } from './mail-server.ts';
import { createSmtpMailer, type SmtpOptions } from './smtp-mailer.ts';

const SENDER = { name: 'Gatehouse', address: 'gatehouse@acme.example', domain: 'acme.example' };
const AUTH = { user: 'gatehouse', pass: 'correct horse' };
const MAIL: Mail = {
  to: 'ada@acme.example' as Email,
  subject: 'Hello',
  text: 'one\n.two\n',
  messageId: 'notice-1-1',
};

interface Connection extends Partial<Omit<SmtpOptions, 'server'>> {
  readonly server?: Partial<MailServer>;
}

const mailerTo = (port: number, { server, ...options }: Connection = {}) =>
  createSmtpMailer({
    server: () => ({ host: 'localhost', port, beginsWithTls: false, auth: undefined, ...server }),
    sender: SENDER,
    tls: 'off',
    ...options,
  });

async function receive(options?: ReceiverOptions) {
  const receiver = await openMailReceiver(options);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

mailerContract('SMTP', async () => {
  const receiver = await openMailReceiver();
  let isOpen = true;
  const close = async () => {
    if (isOpen) await receiver[Symbol.asyncDispose]();
    isOpen = false;
  };
  return {
    mailer: mailerTo(receiver.port),
    received: async () =>
      receiver.mails.map(({ to, subject, text, messageId }) => ({ to, subject, text, messageId })),
    refuseRecipient: receiver.refuseRecipient,
    defer: () => receiver.refuse('DATA', 451),
    takeAway: close,
    [Symbol.asyncDispose]: close,
  };
});

test('a message is plain text with CRLF line ends, and says that no absence note is wanted', async () => {
  const receiver = await receive();
  await mailerTo(receiver.port).send(MAIL);
  const { raw, recipients } = receiver.mails[0] ?? expect.fail();
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(raw).toMatch(/^From: Gatehouse <gatehouse@acme\.example>\r$/m);
  expect(raw).toMatch(/^Message-ID: <notice-1-1@acme\.example>\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  expect(raw).not.toMatch(/multipart|text\/html|<img/i);
  expect(recipients).toEqual([MAIL.to]);
});

test.each([
  ['a subject', { subject: 'x\r\nBcc: all@evil.example\r\n\r\nbody' }],
  ['an address with a comma', { to: 'ada@acme.example,all@evil.example' as Email }],
  ['an address with angle brackets', { to: 'ada@acme.example>,<all@evil.example' as Email }],
  ['an address with a line break', { to: 'ada@acme.example\r\nRCPT TO:<all@evil.example>' as Email }],
])('%s adds neither a header nor a recipient', async (_, parts) => {
  const receiver = await receive();
  await mailerTo(receiver.port).send({ ...MAIL, ...parts });
  expect(receiver.mails.flatMap(({ recipients }) => recipients)).not.toContain('all@evil.example');
  for (const { raw } of receiver.mails) expect(raw).not.toMatch(/^Bcc/im);
});

test.each(['<ada@acme.example', 'ada@acme.example>', 'Ada<ada@acme.example', 'a,b@acme.example>'])(
  '%s is refused, and no message goes to a similar address',
  async (to) => {
    const receiver = await receive();
    const sent = await mailerTo(receiver.port).send({ ...MAIL, to: to as Email });
    expect(sent).toEqual({ kind: 'failed', problem: 'recipient_refused' });
    expect(receiver.mails).toEqual([]);
  },
);

test.each([
  ['RCPT', 550, 'recipient_refused'],
  ['RCPT', 450, 'deferred'],
  ['DATA', 554, 'message_refused'],
  ['DATA', 451, 'deferred'],
  ['MAIL', 451, 'deferred'],
  // The operator corrects the address of the sender, and then the message is accepted.
  ['MAIL', 550, 'deferred'],
] as const)('%s that is answered with %i is %s', async (step, code, problem) => {
  const receiver = await receive();
  receiver.refuse(step, code);
  const mailer = mailerTo(receiver.port);
  expect(await mailer.send(MAIL)).toEqual({ kind: 'failed', problem });
  receiver.refuse(step, undefined);
  expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
});

/** Opens a server that greets, and then answers as `answer` does. */
async function openHostile(answer: (socket: Socket, line: string) => void, greeting = '220 hostile\r\n') {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(greeting);
    socket.on('data', (data) => answer(socket, `${data}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

test('a mail server that never answers costs no more than the time limit', async () => {
  const port = await openHostile(() => undefined, '');
  expect(await mailerTo(port, { limitMs: 200 }).send(MAIL)).toEqual({ kind: 'failed', problem: 'timed_out' });
});

test('a mail server that always answers a little costs no more than the time limit', async () => {
  const port = await openHostile((socket) => {
    const timer = setInterval(() => socket.write('250-more\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await mailerTo(port, { limitMs: 300 }).send(MAIL)).toEqual({ kind: 'failed', problem: 'timed_out' });
});

test('a mail server that offers no TLS gets neither a message nor the password', async () => {
  const said: string[] = [];
  const port = await openHostile((socket, line) => {
    said.push(line);
    socket.write(line.startsWith('EHLO') ? '250-hostile\r\n250 AUTH PLAIN LOGIN\r\n' : '502 unknown\r\n');
  });
  const mailer = mailerTo(port, { tls: 'on', server: { auth: AUTH } });
  expect(await mailer.send(MAIL)).toEqual({ kind: 'failed', problem: 'no_tls' });
  expect(await mailer.check()).toBe('no_tls');
  expect(said.join('')).not.toMatch(/AUTH|MAIL|ada@/);
});

describe.runIf(hasOpenSsl)('with certificates', () => {
  let certificates: Certificates;
  let certificate: { readonly cert: string; readonly key: string };
  let [ca, otherCa] = ['', ''];
  beforeAll(async () => {
    certificates = await createCertificates();
    const read = (name: 'cert' | 'key' | 'ca' | 'otherCa') => readFileSync(certificates[name], 'utf8');
    certificate = { cert: read('cert'), key: read('key') };
    [ca, otherCa] = [read('ca'), read('otherCa')];
  });
  afterAll(() => certificates[Symbol.asyncDispose]());

  test.each([true, false])(
    'the message and the password go through TLS (from the start: %s)',
    async (begins) => {
      const receiver = await receive({ certificate, beginsWithTls: begins, auth: AUTH });
      const to = (parts: Connection) =>
        mailerTo(receiver.port, {
          tls: 'on',
          ca,
          ...parts,
          server: { beginsWithTls: begins, ...parts.server },
        });
      expect(await to({ server: { auth: AUTH } }).send(MAIL)).toEqual({ kind: 'sent' });
      expect(await to({ server: { auth: AUTH } }).check()).toBeUndefined();
      expect(receiver.mails).toHaveLength(1);
      const wrong = { ...AUTH, pass: 'wrong' };
      expect(await to({ server: { auth: wrong } }).send(MAIL)).toEqual({
        kind: 'failed',
        problem: 'not_authenticated',
      });
      expect(await to({ server: { auth: wrong } }).check()).toBe('not_authenticated');
      expect(receiver.mails).toHaveLength(1);
    },
  );

  test.each([true, false])(
    'another authority or another name is refused (from the start: %s)',
    async (begins) => {
      const receiver = await receive({ certificate, beginsWithTls: begins });
      const refused = { kind: 'failed', problem: 'no_tls' };
      const server = { beginsWithTls: begins };
      expect(await mailerTo(receiver.port, { tls: 'on', ca: otherCa, server }).send(MAIL)).toEqual(refused);
      const other = { ...server, host: '127.0.0.1' };
      expect(await mailerTo(receiver.port, { tls: 'on', ca, server: other }).send(MAIL)).toEqual(refused);
      expect(receiver.mails).toEqual([]);
    },
  );

  test('a password that is replaced is used for the next message', async () => {
    const receiver = await receive({ certificate, auth: AUTH });
    let pass = 'old';
    const mailer = createSmtpMailer({
      server: () => ({
        host: 'localhost',
        port: receiver.port,
        beginsWithTls: false,
        auth: { user: AUTH.user, pass },
      }),
      sender: SENDER,
      tls: 'on',
      ca,
    });
    expect(await mailer.check()).toBe('not_authenticated');
    pass = AUTH.pass;
    expect(await mailer.check()).toBeUndefined();
  });
});
