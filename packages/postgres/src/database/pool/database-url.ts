import pg from 'pg';

/** The form that the URL of a database must have, for messages. */
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
    // Reads the URL, and the files of certificates and keys that it names, in the same way as for a connection. Opens
    // no connection.
    return tlsProblemOf(text, new pg.Client({ connectionString: text }));
  } catch (error) {
    if (!(error instanceof Error) || isOfUrl(error)) return NO_URL;
    const problem =
      'syscall' in error ? 'names a file that cannot be read' : 'has parameters that cannot be used';
    return `${problem}: ${error.message}`;
  }
}

/**
 * Returns whether pg could not parse the URL. The message of such an error may contain the password, so it must not be
 * shown. Other errors of pg name only a parameter.
 */
function isOfUrl(error: Error): boolean {
  return error instanceof URIError || ('code' in error && error.code === 'ERR_INVALID_URL');
}

/**
 * The TLS parameters that pg reads. pg ignores all other parameters, so a misspelled name would cause a connection
 * without TLS.
 */
export const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'];

/** The modes that pg knows. pg reads any other one as `verify-full` in a URL, and as `disable` in `PGSSLMODE`. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The beginning of a certificate in a file. Text before this line is a comment (RFC 7468, section 2). */
const PEM_BEGINNING = '-----BEGIN ';

/**
 * Returns a mistake in the TLS parameters of a URL that pg does not report. If the URL does not say whether to use TLS,
 * `PGSSLMODE` is checked instead. Parameters that are not about TLS are not checked, because pg ignores unknown
 * parameters, and other programs that use the URL may need them.
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
      return `has parameters that cannot be used: ${name} is empty; set sslmode=verify-full for an encrypted connection, or sslmode=disable for one without encryption`;
    }
    if (name === 'sslmode' && !MODES.includes(value)) {
      return `has parameters that cannot be used: sslmode is none of ${MODES.join(', ')}`;
    }
  }
  if (hasNoAuthority(client.ssl)) {
    return 'names a file without a certificate: the file in sslrootcert must contain -----BEGIN CERTIFICATE-----';
  }
  if (client.ssl || parameters.has('ssl') || parameters.has('sslmode')) return undefined;
  const mode = process.env.PGSSLMODE || 'disable';
  return MODES.includes(mode) ? undefined : `has no sslmode, and PGSSLMODE is none of ${MODES.join(', ')}`;
}

/**
 * Returns whether `sslrootcert` names a file without a certificate. Without this check, Node would only report that it
 * cannot verify the server.
 */
function hasNoAuthority(options: unknown): boolean {
  const authority = typeof options === 'object' && options !== null && 'ca' in options && options.ca;
  return typeof authority === 'string' && !authority.includes(PEM_BEGINNING);
}

/**
 * Hides a name that may be a part of the password: if a password has a `?` that is not percent-encoded, the rest of the
 * password looks like a parameter.
 */
function shown(name: string): string {
  return /^\w+$/.test(name) ? name : 'a name in it';
}

/** The parts of a URL behind its scheme (RFC 3986, appendix B). */
const PARTS =
  /^postgres(?:ql)?:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)(?<query>\?[^#]*)?(?<fragment>#.*)?$/s;

const ENCODED = 'which in a user name or a password has to be written as';

/** Matches the beginning of a parameter: a word and `=`. Text after a `?` in a password seldom begins that way. */
const PARAMETER = /^\w+=/;

/**
 * Returns a common mistake in the URL of a database that prevents a connection or leads to another server; undefined if
 * there is none. The message repeats no text of the URL, which may be a part of a password.
 */
function mistakeIn(text: string): string | undefined {
  if (/^\s*["'`]|["'`]\s*$/.test(text)) {
    return 'has quotes around it, which have to be removed';
  }
  // A URL that was read from a file may end with a line end.
  const line = text.replace(/[\r\n]+$/, '');
  if (/\p{Cc}/u.test(line)) return 'has several lines, or control characters';
  if (/\s/.test(line)) return `has a blank in it, ${ENCODED} %20`;
  const { authority, path = '', query = '', fragment } = PARTS.exec(line)?.groups ?? {};
  if (authority === undefined) return undefined;
  if (fragment !== undefined) return `has a # in it, ${ENCODED} %23`;
  if (path.includes('@'))
    return `has an @ after a /, ${ENCODED} %2F (in the name of a database, write the @ as %40)`;
  if (isPasswordIn(query, authority)) return `has an @ after a ?, ${ENCODED} %3F`;
  if (/%(?![0-9a-f]{2})/i.test(line))
    return `has a % that is not followed by two hexadecimal digits, ${ENCODED} %25`;
  if (!isDecodable(line)) return 'has percent-encoded bytes that are not UTF-8';
  const hosts = [
    authority.slice(authority.lastIndexOf('@') + 1),
    ...new URLSearchParams(query).getAll('host'),
  ];
  if (hosts.some((host) => host.includes(','))) {
    return 'names several hosts, but only one is allowed, such as a load balancer that connects to the primary';
  }
  return undefined;
}

/**
 * Returns whether the password seems to contain a `?`. An @ after the `?` is not enough, because a parameter may also
 * contain an @, such as `user=ada@server`, which some hosting providers use.
 */
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
