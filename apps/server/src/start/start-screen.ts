import { dirname, relative } from 'node:path';
import { replaceInvisible } from '@gatehouse/domain';
import type { Demo } from './demo-file.ts';

interface StartedServer {
  readonly url: string;
  readonly opsUrl: string;
  readonly demoPath: string;
}

/**
 * Explains how to try the server. Every command can be pasted into a shell. Without a demo, says how to begin again: the
 * database has data, but its `demo.json` is lost.
 */
export function startScreen(demo: Demo | undefined, { url, opsUrl, demoPath }: StartedServer): string {
  if (!demo) {
    return `
  Gatehouse serves ${url}

  The database has data, but ${nameOf(demoPath)} is not there: there is no demo to sign in to.
  To begin again, stop the server and remove ${nameOf(dirname(demoPath))}, with all data in it.
  Health: ${opsUrl}/ready. Ctrl-C stops the server.

`;
  }
  const { admin, account, organizations, token } = demo;
  const signIn = `email=${encodeURIComponent(admin.email)}&password=${encodeURIComponent(admin.password)}`;
  return `
  Gatehouse serves ${url}

  Sign in to the demo account ${replaceInvisible(account.name)}
    email     ${replaceInvisible(admin.email)}
    password  ${admin.password}

    curl -d '${signIn}' ${url}/api/v1/auth.json

  Use its API token
    ${token}

    curl -H 'Authorization: Bearer ${token}' ${url}/api/v1/orgs/${organizations[0]?.id}

  All of this is in ${nameOf(demoPath)}. Health: ${opsUrl}/ready. Ctrl-C stops the server.

`;
}

function nameOf(path: string): string {
  const fromHere = relative('', path);
  return replaceInvisible(fromHere === '' || fromHere.startsWith('..') ? path : fromHere);
}
