import type { Knowledge } from '../core/knowledge.ts';
import type { ActiveToken, Introspection } from '../questions/introspect.ts';
import { MAX_IDS } from './ask-again.ts';

export interface RefreshOptions {
  readonly knowledge: Pick<Knowledge<ActiveToken>, 'ask' | 'answered' | 'abandon' | 'isFresh' | 'recall'>;
  /** Introspects tokens again by their ids. */
  readonly askAgain: (ids: readonly string[]) => Promise<readonly Introspection[] | 'unknown'>;
  /** Calls back after a time in milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** How many tokens may wait. */
  readonly maxTokens: number;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** Learns again about tokens that were forgotten together, before a request needs them. */
export interface Refresh {
  /** Takes the answers that were forgotten, with their keys. */
  add(forgotten: Iterable<readonly [key: string, answer: ActiveToken]>): void;
  stop(): void;
}

/** How many requests are under way. Questions of requests to the service go first, because they have more places. */
const MAX_UNDER_WAY = 2;
/** Requests of many verifiers are spread over this time. */
const SPREAD_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

export function createRefresh(options: RefreshOptions): Refresh {
  const { knowledge, askAgain, after, maxTokens, random = Math.random } = options;
  /** The keys of tokens that wait, by the ids of the tokens. */
  const waiting = new Map<string, string>();
  const timers = new Set<() => void>();
  let failures = 0;
  let active = 0;
  let isStopped = false;

  /** Keeps the number of requests that are under way or wait for their time. */
  function pump(): void {
    while (!isStopped && active < MAX_UNDER_WAY && waiting.size > active * MAX_IDS) {
      active += 1;
      const cancel = after(random() * pauseMs(), () => {
        timers.delete(cancel);
        void refreshSome().finally(() => {
          active -= 1;
          pump();
        });
      });
      timers.add(cancel);
    }
  }

  const pauseMs = () => Math.min(LONGEST_PAUSE_MS, SPREAD_MS * 2 ** Math.min(failures, 8));

  /** Takes out tokens that wait. Tokens that were asked about meanwhile are known. */
  function take(): [id: string, key: string][] {
    const taken: [string, string][] = [];
    for (const [id, key] of waiting) {
      waiting.delete(id);
      if (knowledge.recall(key) === undefined) taken.push([id, key]);
      if (taken.length === MAX_IDS) break;
    }
    return taken;
  }

  async function refreshSome(): Promise<void> {
    // Until the stream proves something, no answer would be remembered.
    const asked = knowledge.isFresh() ? take() : [];
    if (asked.length === 0) {
      failures = Math.min(failures + 1, 2);
      return;
    }
    const question = knowledge.ask();
    let remembered = 0;
    try {
      const answers = await askAgain(asked.map(([id]) => id));
      if (answers === 'unknown') return waiting.clear();
      for (const [index, answer] of answers.entries()) {
        const [id, key] = asked[index] as [string, string];
        if (answer === 'inactive') continue;
        const { provenance, ...token } = answer;
        const outcome = token.caller.token === id && knowledge.answered(question, key, token, provenance);
        if (outcome === 'remembered') remembered += 1;
        else if (outcome === 'used') waiting.set(id, key);
      }
      failures = remembered > 0 || waiting.size === 0 ? 0 : failures + 1;
    } catch {
      failures += 1;
      for (const [id, key] of asked) waiting.set(id, key);
    } finally {
      knowledge.abandon(question);
    }
  }

  return {
    add(forgotten) {
      for (const [key, { caller }] of forgotten) {
        if (waiting.size >= maxTokens) break;
        waiting.set(caller.token, key);
      }
      pump();
    },
    stop() {
      isStopped = true;
      for (const cancel of timers) cancel();
    },
  };
}
