import type { Mailer, MailOutcome, MailProblem } from '@gatehouse/domain/mail';
import { createTransport } from 'nodemailer';
import type { MailServer } from './mail-server.ts';
import { problemOf } from './problem-of.ts';
import type { Sender } from './sender.ts';

export interface SmtpOptions {
  /** Called for each message, because the password may have been replaced. */
  readonly server: () => MailServer;
  readonly sender: Sender;
  /** Whether the mail server must prove by TLS who it is. `off` is for a mail server on the same machine. */
  readonly tls: 'on' | 'off';
  /** The time limit for one message, in milliseconds. */
  readonly limitMs?: number;
  /** The certificate of an authority that is trusted instead of those that Node trusts. */
  readonly ca?: string;
}

/** Shorter than the deadline of the reaction that sends messages. */
const LIMIT_MS = 45_000;

/** Creates a Mailer that hands each message over to a mail server, on a connection of its own (RFC 5321). */
export function createSmtpMailer({ server, sender, tls, limitMs = LIMIT_MS, ca }: SmtpOptions): Mailer {
  function connect() {
    const { host, port, beginsWithTls, auth } = server();
    return createTransport({
      host,
      port,
      secure: beginsWithTls,
      // Otherwise someone between the two could remove STARTTLS from the answer, and read links and the password.
      requireTLS: tls === 'on',
      ignoreTLS: tls === 'off',
      ...(auth && { auth }),
      tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
      connectionTimeout: limitMs,
      greetingTimeout: limitMs,
      socketTimeout: limitMs,
      dnsTimeout: limitMs,
      // Messages are made of texts only, so nothing may read a file or load an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Runs one exchange, and ends it after the limit however often the mail server answers meanwhile. */
  async function exchange(
    run: (transport: ReturnType<typeof connect>) => Promise<unknown>,
  ): Promise<MailProblem | undefined> {
    const transport = connect();
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<MailProblem>((resolve) => {
      timer = setTimeout(resolve, limitMs, 'timed_out').unref();
    });
    const exchanged = run(transport).then(() => undefined, problemOf);
    try {
      return await Promise.race([exchanged, timedOut]);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  return {
    async send({ to, subject, text, messageId }): Promise<MailOutcome> {
      // nodemailer leaves angle brackets out, so the message would go to another address than that of the user.
      if (/[<>]/.test(to)) return { kind: 'failed', problem: 'recipient_refused' };
      const problem = await exchange((transport) =>
        transport.sendMail({
          from: sender,
          // An object, so that no part of the address is read as a second address.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${messageId}@${sender.domain}>`,
          // So that no absence note answers (RFC 3834 section 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      );
      return problem === undefined ? { kind: 'sent' } : { kind: 'failed', problem };
    },
    check: () => exchange((transport) => transport.verify()),
  };
}
