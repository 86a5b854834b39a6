import { andThen, err, ok } from '@gatehouse/domain';
import type { ServiceCaller } from '@gatehouse/domain/access';
import type { ChangeFeed, FreshnessCheck } from '@gatehouse/domain/changes';
import {
  acceptedCredential,
  type Service,
  type ServiceRepository,
  TOLD_KINDS,
  type TokenChanges,
  type WriteChanges,
} from '@gatehouse/domain/services';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import { createChangeStream, encodeProof } from './change-stream.ts';
import { createOpenStreams, type OpenStream, type StreamLimits } from './open-streams.ts';
import { type ChangeLine, createRecentChanges, encodedFor } from './recent-changes.ts';
import type { HandleOf, TokenHandles } from './token-handles.ts';

interface TokenChangesPorts {
  readonly feed: ChangeFeed;
  readonly isFresh: FreshnessCheck;
  /** The services from memory, because each proof looks up the credentials of all streams. */
  readonly services: Pick<ServiceRepository, 'list'>;
  readonly handles: Pick<TokenHandles, 'of'>;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly maxStalenessMs: number;
  /** Calls the function once after so many milliseconds. Returns a function that prevents the call. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  readonly limits?: StreamLimits | undefined;
}

const LIMITS: StreamLimits = { streams: 1000, ofOneService: 100 };

/** How long a stream lasts, in milliseconds. A client compares its clock with ours by their rates for that time only. */
const STREAM_MS = 10_000;

export interface RunningTokenChanges extends TokenChanges {
  /** The number of open streams. */
  streams(): number;
  /** Ends all streams. From then on, none is opened. */
  close(): void;
}

/**
 * Tells services of changes, and proves up to which moment it told all of them (ADR 80). A stream gets a proof each time
 * the change feed has heard more. No timer causes a proof.
 */
export function createTokenChanges(ports: TokenChangesPorts): RunningTokenChanges {
  const { feed, isFresh, services, handles, clock, monotonicClock, maxStalenessMs, after } = ports;
  const streams = createOpenStreams(ports.limits ?? LIMITS);
  const recent = createRecentChanges(ports, tell);
  let closed = false;
  let checking = false;

  function tell(line: ChangeLine): void {
    for (const { service, handleOf, open } of streams.audiences()) {
      const encoded = encodedFor(line, service, handleOf);
      for (const { stream } of open) stream.changed(encoded);
    }
  }

  /**
   * Proves after the credentials were checked. If their check takes longer than a heartbeat, one proof covers both
   * heartbeats.
   */
  function proveSoon(): void {
    if (streams.count() === 0 || checking) return;
    checking = true;
    const done = () => {
      checking = false;
    };
    try {
      const proved = andThen(services.list(), prove);
      if (proved instanceof Promise) void proved.then(done, done);
      else done();
    } catch {
      // The services cannot be read now. Without a proof, no client uses what it remembers.
      done();
    }
  }

  function prove(all: readonly Service[]): void {
    recent.flush();
    const known = new Map(all.map((service) => [service.name, service]));
    const now = clock.now();
    // Read only now, because the feed may have been lost while the services were read.
    const heard = feed.heardUpTo();
    const proof = heard && isFresh() ? encodeProof(heard) : undefined;
    for (const { service, open } of [...streams.audiences()]) {
      for (const { caller, stream, end } of [...open]) {
        if (!acceptedCredential(known.get(service), caller.credential, now)) end();
        else if (proof) stream.prove(proof);
      }
    }
  }

  const unsubscribe = feed.onHeard(proveSoon);

  const write =
    (caller: ServiceCaller, nonce: string, handleOf: HandleOf): WriteChanges =>
    (sink, gone) => {
      const heard = feed.heardUpTo();
      // Since `open`, the server may have begun to stop, or other streams may have taken the last place.
      if (closed || gone.aborted || !heard || streams.isFull(caller.service)) {
        sink.end();
        return Promise.resolve();
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const stream = createChangeStream(sink);
      const end = () => {
        if (!streams.remove(opened)) return;
        cancel();
        gone.removeEventListener('abort', end);
        sink.end();
        resolve();
      };
      const opened: OpenStream = { caller, stream, end };
      const cancel = after(STREAM_MS, end);
      gone.addEventListener('abort', end);
      const { from, lines } = recent.replay();
      streams.add(handleOf, opened);
      stream.hello({
        nonce,
        now: monotonicClock.elapsedMs(),
        replay_from: from,
        max_staleness_ms: maxStalenessMs,
        kinds: TOLD_KINDS,
        database: heard.database ?? '',
      });
      for (const line of lines) stream.changed(encodedFor(line, caller.service, handleOf));
      return promise;
    };

  return {
    open(caller, nonce) {
      if (closed || !feed.heardUpTo()) return err({ code: 'changes_unknown' });
      if (streams.isFull(caller.service)) return err({ code: 'too_many_streams' });
      return andThen(handles.of(caller.service), (handleOf) => ok(write(caller, nonce, handleOf)));
    },
    streams: streams.count,
    close() {
      closed = true;
      unsubscribe();
      recent.close();
      streams.endAll();
    },
  };
}
