import { setTimeout as delay } from 'node:timers/promises';
import type { TokenId } from '@gatehouse/domain/tokens';
import { sized } from '@gatehouse/fault-figures';
import type { Ledger, LedgerToken } from './ledger.ts';
import type { Population } from './population.ts';

export interface LoadOptions {
  readonly url: string;
  readonly population: Population;
  readonly ledger: Ledger;
  /** Whether requests may have no response, because the server itself is down for a time. */
  readonly mayBeSilent?: boolean;
  /** The pause of each reader after a request, in milliseconds. Default: none in full size. */
  readonly readPauseMs?: number;
  /** The pause after a sign-in, in milliseconds. */
  readonly signInPauseMs?: number;
  /** Called with the token of a request answered by 200, and when it was sent, by the wall clock. */
  readonly onAccepted?: (id: TokenId, sentAt: number) => void;
}

/** The time after which an acknowledged revocation takes effect everywhere, in milliseconds. */
const BOUND_MS = 1000;
/** Weights as in production, where most requests are answered from memory, and some change data. */
const READERS = 4;
/** In the short size, other tests also need the cores. */
const READ_PAUSE_MS = sized({ short: 5, full: 0 });
const SIGN_IN_PAUSE_MS = 100;
const CHANGE_PAUSE_MS = 5;

/** Sends requests and makes changes until it is stopped, and collects the wrong responses. */
export function startLoad(options: LoadOptions) {
  const { url, population, ledger, mayBeSilent = false, onAccepted = () => undefined } = options;
  const { readPauseMs = READ_PAUSE_MS, signInPauseMs = SIGN_IN_PAUSE_MS } = options;
  const counts = {
    answers: 0,
    /** Requests without a response. */
    silent: 0,
    /** Reads answered by 503. */
    refusedReads: 0,
    signIns: 0,
    refusedSignIns: 0,
  };
  const wrong: string[] = [];
  const signedIn: string[] = [];
  const unrevoked: LedgerToken[] = [];
  let over = false;
  let changing = true;

  async function send(path: string, init: RequestInit): Promise<Response | undefined> {
    try {
      const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
      counts.answers += 1;
      if (response.status === 503 && !response.headers.has('retry-after')) {
        wrong.push(`${path}: 503 without Retry-After`);
      }
      return response;
    } catch (error) {
      counts.silent += 1;
      if (!mayBeSilent) wrong.push(`${path}: no answer (${reasonOf(error)})`);
      // A client that cannot connect waits before it retries.
      await delay(20);
      return undefined;
    }
  }

  async function read(token: string, ledgerToken?: LedgerToken): Promise<void> {
    const [sentAt, sentAtWall] = [performance.now(), Date.now()];
    const response = await send(population.path, { headers: { authorization: `Bearer ${token}` } });
    await response?.arrayBuffer().catch(() => undefined);
    const { status } = response ?? {};
    if (status === 200) onAccepted(ledgerToken?.id ?? population.tokenId, sentAtWall);
    if (status === 503) counts.refusedReads += 1;
    if (status === undefined || status === 503) return;
    const { revokingSince, revokedAt = Number.POSITIVE_INFINITY } = ledgerToken ?? {};
    if (status === 200 && sentAt - revokedAt > BOUND_MS) wrong.push('a revoked token was accepted');
    if (status === 401 && revokingSince === undefined) wrong.push('a good token was refused');
    if (status !== 200 && status !== 401) wrong.push(`answered ${status}`);
  }

  async function keepReading(reader: number): Promise<void> {
    for (let turn = reader; !over; turn += 1) {
      const { tokens } = ledger;
      // Returns in turn the token that all servers have cached, one of the newest, and any.
      const place = turn % 3 === 1 ? -1 - (turn % 5) : (turn * 7919) % tokens.length;
      const token = turn % 3 === 0 ? undefined : tokens.at(place);
      await read(token?.secret ?? population.token, token);
      if (readPauseMs > 0) await delay(readPauseMs);
    }
  }

  async function keepSigningIn(): Promise<void> {
    const body = JSON.stringify({ email: population.email, password: population.password });
    while (!over) {
      const response = await send('/api/v1/auth.json', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (response?.status === 200) {
        counts.signIns += 1;
        const answer = await response.json().catch(() => undefined);
        if (answer !== undefined) signedIn.push((answer as { token: string }).token);
      } else {
        await response?.arrayBuffer().catch(() => undefined);
        if (response?.status === 503) counts.refusedSignIns += 1;
        else if (response !== undefined) wrong.push(`sign-in: ${response.status}`);
      }
      await delay(signInPauseMs);
    }
  }

  async function keepChanging(): Promise<void> {
    for (let turn = 0; !over; turn += 1) {
      await delay(CHANGE_PAUSE_MS);
      if (!changing) continue;
      const made = await ledger.create();
      if (turn % 2 === 0 && made !== undefined) unrevoked.push(made);
      const token = unrevoked.shift();
      if (token !== undefined && !(await ledger.revoke(token))) unrevoked.push(token);
    }
  }

  const working = Promise.all([
    ...Array.from({ length: READERS }, (_, reader) => keepReading(reader)),
    keepSigningIn(),
    keepChanging(),
    keepChanging(),
  ]);
  working.catch(() => undefined);
  return {
    counts,
    /** The wrong responses. */
    wrong,
    /** The tokens of successful sign-ins, which must be valid. */
    signedIn,
    /** Sets whether tokens are created and revoked; requests continue. */
    change: (now: boolean) => {
      changing = now;
    },
    async stop() {
      over = true;
      await working;
    },
    async [Symbol.asyncDispose]() {
      over = true;
      // The failure is reported when it is stopped.
      await working.catch(() => undefined);
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
}
