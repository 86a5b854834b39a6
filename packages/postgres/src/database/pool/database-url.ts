import pg from 'pg';

/** The expected form, for messages. */
export const DATABASE_URL_FORM = 'a URL such as postgres://user:password@host:5432/database';

const NO_URL = `must be ${DATABASE_URL_FORM}`;

/**
 * Returns why this URL cannot be used; undefined if it can. The problem never repeats the URL, which may hold a
 * password.
 */
export function databaseUrlProblem(text: string): string | undefined {
  const mistake = mistakeIn(text);
  if (mistake !== undefined) return `${mistake}: it ${NO_URL}`;
  if (!/^postgres(ql)?:\/\//.test(text)) return NO_URL;
  try {
    // Reads the URL, and the certificates and keys that it names, as they will be read to connect; connects to nothing.
    return tlsProblemOf(text, new pg.Client({ connectionString: text }));
  } catch (error) {
    if (!(error instanceof Error) || isOfUrl(error)) return NO_URL;
    const problem =
      'syscall' in error ? 'names a file that cannot be read' : 'has parameters that cannot be used';
    return `${problem}: ${error.message}`;
  }
}

/** pg's other messages name a parameter and repeat its value at most. */
function isOfUrl(error: Error): boolean {
  return error instanceof URIError || ('code' in error && error.code === 'ERR_INVALID_URL');
}

/** The parameters that pg reads. It ignores all others, so a misspelled one would lead to a connection without TLS. */
export const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'];

/** The values of `PGSSLMODE` that pg knows. It takes every other value for `disable`. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** RFC 7468, section 2: text before it is a comment. */
const PEM_BEGINNING = '-----BEGIN ';

/**
 * Returns what is wrong with the TLS parameters of a URL, or with `PGSSLMODE` if it applies, and what pg does not
 * report. Parameters that are not about TLS are left to pg, which ignores unknown ones: URLs for several programs have
 * some.
 *
 * @param client made from the URL
 */
function tlsProblemOf(url: string, client: pg.Client): string | undefined {
  const parameters = new URLSearchParams(/^[^?#]*(\?[^#]*)/.exec(url)?.[1]);
  for (const [name, value] of parameters) {
    if (!/ssl|tls/i.test(name)) continue;
    if (!TLS_PARAMETERS.includes(name)) {
      return `has parameters that cannot be used: ${shown(name)} is none of the TLS parameters ${TLS_PARAMETERS.join(', ')}`;
    }
    if (value === '') {
      return `has parameters that cannot be used: ${name} is empty; sslmode=verify-full is encrypted, sslmode=disable is not`;
    }
  }
  if (hasNoAuthority(client.ssl)) {
    return 'names a file without a certificate: the file in sslrootcert must contain -----BEGIN CERTIFICATE-----';
  }
  if (client.ssl || parameters.has('ssl') || parameters.has('sslmode')) return undefined;
  const mode = process.env.PGSSLMODE || 'disable';
  return MODES.includes(mode) ? undefined : `has no sslmode, and PGSSLMODE is none of ${MODES.join(', ')}`;
}

/** Node treats a text without a certificate as no authority, and then only reports that it found none. */
function hasNoAuthority(options: unknown): boolean {
  const authority = typeof options === 'object' && options !== null && 'ca' in options && options.ca;
  return typeof authority === 'string' && !authority.includes(PEM_BEGINNING);
}

/** Hides the name if it may be a part of the password, which looks like a parameter after a `?` that is not percent-encoded. */
function shown(name: string): string {
  return /^\w+$/.test(name) ? name : 'a name in it';
}

/** The parts of a URL behind its scheme (RFC 3986, appendix B). */
const PARTS =
  /^postgres(?:ql)?:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)(?<query>\?[^#]*)?(?<fragment>#.*)?$/s;

const ENCODED = 'which in a user or a password is written';

/** The name of a parameter is a word. A part of a password seldom is. */
const PARAMETER = /^\w+=/;

/**
 * Returns a common mistake that keeps the URL of a database from working, or leads it elsewhere; undefined if it has
 * none. The message repeats no text of the URL, which may be a part of a password.
 */
function mistakeIn(text: string): string | undefined {
  if (/^\s*["'`]|["'`]\s*$/.test(text)) {
    return 'has quotes around it, which only a shell removes';
  }
  // A file ends with a line end.
  const line = text.replace(/[\r\n]+$/, '');
  if (/\p{Cc}/u.test(line)) return 'has several lines, or control characters';
  if (/\s/.test(line)) return `has a blank in it, ${ENCODED} %20`;
  const { authority, path = '', query = '', fragment } = PARTS.exec(line)?.groups ?? {};
  if (authority === undefined) return undefined;
  if (fragment !== undefined) return `has a # in it, ${ENCODED} %23`;
  if (path.includes('@')) return `has an @ after a /, ${ENCODED} %2F, and an @ in the name of a database %40`;
  if (isPasswordIn(query, authority)) return `has an @ after a ?, ${ENCODED} %3F`;
  if (/%(?![0-9a-f]{2})/i.test(line)) return `has a % that begins no percent-encoding, ${ENCODED} %25`;
  if (!isDecodable(line)) return 'has percent-encoded bytes that are not UTF-8';
  const hosts = [
    authority.slice(authority.lastIndexOf('@') + 1),
    ...new URLSearchParams(query).getAll('host'),
  ];
  if (hosts.some((host) => host.includes(','))) {
    return 'names several hosts, and has to name one, such as a load balancer that leads to the primary';
  }
  return undefined;
}

/** Some hosts have users such as ada@server, in a parameter. */
function isPasswordIn(query: string, authority: string): boolean {
  return query.includes('@') && !authority.includes('@') && !PARAMETER.test(query.slice(1));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
