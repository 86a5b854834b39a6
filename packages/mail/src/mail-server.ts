import { err, ok, type Result } from '@gatehouse/domain';

/** A mail server, and how to connect to it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. Otherwise it begins in plain text, and STARTTLS follows. */
  readonly beginsWithTls: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** The form of the URL of a mail server, for error messages. */
export const MAIL_SERVER_FORM =
  'a URL such as smtps://user:password@mail.example or smtp://mail.example:587, without a path';

const ENCODING = '; in a password, write / as %2F, ? as %3F, # as %23 and % as %25';

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/** Parses the URL of a mail server. The error never repeats the URL, which may contain a password. */
export function parseMailServer(text: string): Result<MailServer, string> {
  const refused = err(`must be ${MAIL_SERVER_FORM}${text.includes('@') ? ENCODING : ''}`);
  const url = URL.parse(text);
  if (url?.protocol !== 'smtps:' && url?.protocol !== 'smtp:') return refused;
  const { hostname, port, username, password, pathname, search, hash, protocol } = url;
  if (hostname === '' || (pathname !== '' && pathname !== '/') || search !== '' || hash !== '')
    return refused;
  const [user, pass] = [decoded(username), decoded(password)];
  if (user === undefined || pass === undefined || (user === '') !== (pass === '')) return refused;
  return ok({
    // The brackets of an IPv6 address belong to the URL.
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? PORTS[protocol] : Number(port),
    beginsWithTls: protocol === 'smtps:',
    auth: user === '' ? undefined : { user, pass },
  });
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
