import { setTimeout as delay } from 'node:timers/promises';

/** Requests to a server while it is upgraded. */
export interface LightLoad {
  /** The requests that were not answered by 200, with their answers. */
  readonly failures: readonly string[];
  /** The number of requests so far. */
  sent(): number;
  /** The tokens of the sign-ins. */
  readonly signedIn: readonly string[];
  stop(): Promise<void>;
}

const READ_PAUSE_MS = 10;
/** Each sign-in hashes a password. */
const SIGN_IN_PAUSE_MS = 300;

/** Reads with these tokens in turn, and signs in, until it is stopped. */
export function startLightLoad(
  url: string,
  path: string,
  tokens: readonly string[],
  person: { readonly email: string; readonly password: string },
): LightLoad {
  const ending = new AbortController();
  const failures: string[] = [];
  const signedIn: string[] = [];
  let sent = 0;

  async function send(to: string, init: RequestInit): Promise<string> {
    sent += 1;
    try {
      const response = await fetch(`${url}${to}`, init);
      const body = await response.text();
      if (response.status !== 200) failures.push(`${to}: ${response.status} ${body}`);
      return body;
    } catch (error) {
      failures.push(`${to}: ${error instanceof Error ? String(error.cause ?? error) : error}`);
      return '';
    }
  }
  async function read(): Promise<void> {
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      await send(path, { headers: { authorization: `Bearer ${tokens[turn % tokens.length]}` } });
      await delay(READ_PAUSE_MS);
    }
  }
  async function signIn(): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    while (!ending.signal.aborted) {
      const body = await send('/api/v1/auth.json', {
        method: 'POST',
        headers,
        body: JSON.stringify(person),
      });
      if (body.startsWith('{"token"')) signedIn.push(JSON.parse(body).token);
      await delay(SIGN_IN_PAUSE_MS);
    }
  }
  const working = Promise.all([read(), signIn()]);
  return {
    failures,
    signedIn,
    sent: () => sent,
    async stop() {
      ending.abort();
      await working;
    },
  };
}
