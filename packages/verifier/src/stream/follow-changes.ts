import { randomBytes } from 'node:crypto';
import type { Proof } from '../core/stream.ts';
import type { StreamReader } from '../core/stream-reader.ts';
import type { Gatehouse } from '../gatehouse.ts';
import { readEvents } from './read-events.ts';
import { takeEvent } from './take-event.ts';

export interface FollowOptions {
  readonly gatehouse: Gatehouse;
  readonly open: (nonce: string) => StreamReader;
  readonly onProof: (proof: Proof) => void;
  /** Calls back after a time in milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** An anchor is too old after 10 s, so the next stream has 2 s to take over. */
const NEXT_AFTER_MS = 8000;
const LONGEST_MS = 12_000;
/**
 * The proofs of a stream are older by the time that its beginning took. If that is more than this, because the server was
 * frozen or a proxy held the answer back, the next stream is asked for as soon as this one has begun.
 */
const LATE_MS = 500;
const NEXT_AFTER_LATE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Follows the change stream until it is stopped: asks for the next one while the last one still proves. */
export function followChanges({ gatehouse, open, onProof, after }: FollowOptions): { stop(): void } {
  const stops = new Set<() => void>();
  let isStopped = false;
  let failures = 0;

  function begin(): void {
    const controller = new AbortController();
    const isNext = { begun: false };
    const next = (pauseMs: number) => {
      if (isNext.begun || isStopped) return;
      isNext.begun = true;
      const cancel = after(pauseMs, () => {
        stops.delete(cancel);
        begin();
      });
      stops.add(cancel);
    };
    let isLate = false;
    const notLate = after(LATE_MS, () => {
      isLate = true;
    });
    const onBegun = () => {
      notLate();
      if (isLate) next(NEXT_AFTER_LATE_MS);
    };
    const cancels = [
      notLate,
      after(NEXT_AFTER_MS, () => next(0)),
      after(LONGEST_MS, () => controller.abort()),
    ];
    const stop = () => controller.abort();
    stops.add(stop);
    void read(controller.signal, onBegun).finally(() => {
      for (const cancel of cancels) cancel();
      stops.delete(stop);
      controller.abort();
      next(pauseOf(failures));
    });
  }

  async function read(signal: AbortSignal, onBegun: () => void): Promise<void> {
    const nonce = randomBytes(24).toString('base64url');
    const reader = open(nonce);
    failures += 1;
    try {
      const response = await gatehouse.openStream(`/api/v1/token-changes?nonce=${nonce}`, signal);
      const isStream = /^text\/event-stream *(;|$)/i.test(response.headers.get('content-type') ?? '');
      if (response.status !== 200 || !isStream || !response.body) return;
      for await (const data of readEvents(response.body)) {
        const proof = takeEvent(data, reader);
        onBegun();
        if (!proof) continue;
        failures = 0;
        onProof(proof);
      }
    } catch {
      // Nothing that a server sends stops the service. The proofs that arrived count until they are too old.
    } finally {
      reader.end();
    }
  }

  begin();
  return {
    stop() {
      isStopped = true;
      for (const stop of [...stops]) stop();
    },
  };
}

/** Doubles with each failure. The jitter keeps a thousand verifiers from returning at once. */
function pauseOf(failures: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE_MS, 250 * 2 ** Math.min(failures, 6));
}
