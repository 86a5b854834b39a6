import { dirname, relative } from 'node:path';
import { replaceInvisible } from '@gatehouse/domain';
import { API_TOKENS } from '@gatehouse/pages';
import type { Demo } from './demo-file.ts';

interface StartedServer {
  readonly url: string;
  readonly opsUrl: string;
  readonly demoPath: string;
  /** The origin at which browsers find the pages; undefined if there are no pages. */
  readonly pagesUrl: string | undefined;
}

/**
 * Explains how to try the server: in a browser, if there are pages, and by commands that can be pasted into a shell. If
 * `demo` is undefined, the database has data but no `demo.json`, and the text explains how to start with an empty
 * database.
 */
export function startScreen(
  demo: Demo | undefined,
  { url, opsUrl, demoPath, pagesUrl }: StartedServer,
): string {
  if (!demo) {
    return `
  Gatehouse serves ${url}

  The database has data, but ${nameOf(demoPath)} is missing: there is no demo to sign in to.
  To begin again, stop the server and remove ${nameOf(dirname(demoPath))}, with all data in it.
  Health: ${opsUrl}/ready. Ctrl-C stops the server.

`;
  }
  const { admin, account, organizations, token } = demo;
  const credentials = `
    email     ${replaceInvisible(admin.email)}
    password  ${admin.password}
`;
  const signIn = `email=${encodeURIComponent(admin.email)}&password=${encodeURIComponent(admin.password)}`;
  const curl = `
    curl -d '${signIn}' ${pasteable(`${url}/api/v1/auth.json`)}
`;
  const name = replaceInvisible(account.name);
  const beginning =
    pagesUrl === undefined
      ? `  Sign in to the demo account ${name}${credentials}${curl}`
      : `  Open ${pagesUrl}${API_TOKENS} in a browser, and sign in to the demo account ${name}${credentials}
  Or sign in to the API, which returns a token
${curl}`;
  return `
  Gatehouse serves ${url}

${beginning}
  Use the account’s API token
    ${token}

    curl -H 'Authorization: Bearer ${token}' ${pasteable(`${url}/api/v1/orgs/${organizations[0]?.id}`)}

  All of this is in ${nameOf(demoPath)}. Health: ${opsUrl}/ready. Ctrl-C stops the server.

`;
}

/** Quotes a URL with an IPv6 address, because shells read its brackets as a pattern. */
const pasteable = (url: string) => (url.includes('[') ? `'${url}'` : url);

function nameOf(path: string): string {
  const fromHere = relative('', path);
  return replaceInvisible(fromHere === '' || fromHere.startsWith('..') ? path : fromHere);
}
