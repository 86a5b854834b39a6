import type { MailProblem } from '@gatehouse/domain/mail';

/** The properties that nodemailer adds to its errors. */
interface SmtpError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
}

/** The codes of nodemailer's errors about the connection. */
const CONNECTION: Readonly<Record<string, MailProblem>> = {
  ETLS: 'no_tls',
  EAUTH: 'not_authenticated',
  ENOAUTH: 'not_authenticated',
  ETIMEDOUT: 'timed_out',
  ECONNECTION: 'not_reachable',
  EDNS: 'not_reachable',
};

/** The codes of OpenSSL and of Node for a certificate or a handshake that is not accepted. */
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)|certificate|SSL/;

/**
 * Returns the problem that an error of nodemailer stands for. A refusal is for good only if it has a 5xx reply code (RFC
 * 5321 section 4.2.1) and is about the recipient or the message: an operator corrects what is about the sender.
 */
export function problemOf(error: unknown): MailProblem {
  const { code, command, responseCode: reply } = error as SmtpError;
  if (typeof reply === 'number' && code !== 'EAUTH' && code !== 'ETLS') {
    if (reply >= 500 && command === 'RCPT TO') return 'recipient_refused';
    if (reply >= 500 && command === 'DATA') return 'message_refused';
    return 'deferred';
  }
  if (error instanceof Error && TLS.test(`${rootCode(error)} ${error.message}`)) return 'no_tls';
  return CONNECTION[String(code)] ?? 'not_reachable';
}

function rootCode(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
