import type { Email } from '../users/email.ts';

/** A message in plain text. */
export interface Mail {
  readonly to: Email;
  /** One line without control characters. */
  readonly subject: string;
  /** Lines that end with a line feed. */
  readonly text: string;
  /**
   * The first part of the Message-ID (RFC 5322 section 3.6.4): letters, digits and hyphens. A message that is sent
   * again has the same one, so that mail programs recognize it.
   */
  readonly messageId: string;
}

/** Why a message was not sent. The text of a mail server's answer is never part of it. */
export const MAIL_PROBLEMS = {
  not_reachable: 'the mail server cannot be reached',
  no_tls: 'the mail server offers no TLS, or its certificate is not accepted',
  not_authenticated: 'the mail server does not accept the user name and the password',
  timed_out: 'the mail server did not answer in time',
  deferred: 'the mail server wants the message later',
  recipient_refused: 'the mail server refuses the recipient',
  message_refused: 'the mail server refuses the message',
} as const;

export type MailProblem = keyof typeof MAIL_PROBLEMS;

/** Problems that another try does not solve, because they are about this message or its recipient. */
const PERMANENT: readonly MailProblem[] = ['recipient_refused', 'message_refused'];

/** Whether the message will never be accepted. */
export const isPermanent = (problem: MailProblem): boolean => PERMANENT.includes(problem);

export type MailOutcome =
  /** The mail server took the message over. */
  { readonly kind: 'sent' } | { readonly kind: 'failed'; readonly problem: MailProblem };

/** Hands messages over to a mail server, within a time limit of its own. Implementations pass `mailerContract`. */
export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>;
  /** Connects to the mail server and authenticates, and sends nothing. Returns the problem, if there is one. */
  check(): Promise<MailProblem | undefined>;
}
