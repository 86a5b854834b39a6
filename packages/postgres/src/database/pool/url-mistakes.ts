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
export function mistakeIn(text: string): string | undefined {
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
