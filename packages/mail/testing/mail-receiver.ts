import type { AddressInfo } from 'node:net';
import type { Mail } from '@gatehouse/domain/mail';
import type { Email } from '@gatehouse/domain/users';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceiverOptions {
  /** The certificate and its key, as PEM. Without them, the server offers no TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Whether connections begin with TLS. Otherwise the server offers STARTTLS if it has a certificate. */
  readonly beginsWithTls?: boolean;
  /** The user name and the password that the server demands. */
  readonly auth?: { readonly user: string; readonly pass: string };
}

/** A message as it arrived. */
export interface ReceivedMail extends Mail {
  /** The recipients of the envelope. */
  readonly recipients: readonly string[];
  /** The whole message, with its headers. */
  readonly raw: string;
}

/** A real SMTP server that keeps the messages that it takes over. */
export interface MailReceiver extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Resolves with the first message to this address, once it is there. */
  mailTo(address: string): Promise<ReceivedMail>;
  /** Refuses a step with this reply from now on; undefined accepts it again. */
  refuse(step: Step, reply: number | undefined): void;
  refuseRecipient(address: string): void;
}

type Step = 'MAIL' | 'RCPT' | 'DATA';

const reply = (responseCode: number) => Object.assign(new Error('refused by the test'), { responseCode });

/** Opens an SMTP server on a free port of this machine. */
export async function openMailReceiver(options: ReceiverOptions = {}): Promise<MailReceiver> {
  const { certificate, beginsWithTls = false, auth } = options;
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const replies = new Map<Step, number>();
  const gone = new Set<string>();
  const refusal = (step: Step) => {
    const code = replies.get(step);
    return code === undefined ? null : reply(code);
  };
  const settings: SMTPServerOptions = {
    secure: beginsWithTls,
    ...certificate,
    authOptional: auth === undefined,
    disabledCommands: [...(certificate ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    allowInsecureAuth: false,
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      auth && username === auth.user && password === auth.pass
        ? done(null, { user: username })
        : done(reply(535)),
    onMailFrom: (_, __, done) => done(refusal('MAIL')),
    onRcptTo: ({ address }, _, done) => done(gone.has(address) ? reply(550) : refusal('RCPT')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refused = refusal('DATA');
        if (refused) return done(refused);
        const raw = Buffer.concat(chunks).toString('utf8');
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        void PostalMime.parse(raw).then(({ subject = '', text = '', to, messageId = '' }) => {
          mails.push({
            to: (to?.[0]?.address ?? '') as Email,
            subject,
            // Lines end with CRLF on the way.
            text: text.replaceAll('\r\n', '\n'),
            messageId: messageId.replace(/^<(.*)@.*>$/, '$1'),
            recipients,
            raw,
          });
          for (const tell of waiting) tell();
          done();
        }, done);
      });
    },
  };
  const server = new SMTPServer(settings);
  // Clients that give up end connections in the middle.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    async mailTo(address) {
      for (;;) {
        const found = mails.find(({ to }) => to === address);
        if (found) return found;
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
      }
    },
    refuse(step, code) {
      if (code === undefined) replies.delete(step);
      else replies.set(step, code);
    },
    refuseRecipient: (address) => void gone.add(address),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
