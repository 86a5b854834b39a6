import type pg from 'pg';

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
export function tlsProblemOf(url: string, client: pg.Client): string | undefined {
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
    return 'names a file without a certificate: what sslrootcert names must have -----BEGIN CERTIFICATE-----';
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

/** If a password has a `?` that is not percent-encoded, the rest of the password looks like the name of a parameter. */
function shown(name: string): string {
  return /^\w+$/.test(name) ? name : 'a name in it';
}
