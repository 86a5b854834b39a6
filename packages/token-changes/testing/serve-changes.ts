import type { ServiceCaller } from '@gatehouse/domain/access';
import { createFreshnessCheck } from '@gatehouse/domain/changes';
import type { Service, WriteChanges } from '@gatehouse/domain/services';
import {
  aCredential,
  aService,
  createFixedClock,
  createInMemoryChangeFeed,
  START,
  unwrap,
} from '@gatehouse/domain/testing';
import type { StreamLimits } from '../src/open-streams.ts';
import { createTokenChanges } from '../src/token-changes.ts';
import { createTokenHandles } from '../src/token-handles.ts';

const SECRET = new Uint8Array(32).fill(7);

/** A client of one stream, which reads everything at once until the test says how much it leaves unread. */
export interface Client {
  /** The events that it received. */
  readonly events: readonly Record<string, never>[];
  /** The number of bytes that it leaves unread. */
  unread: number;
  readonly hasEnded: () => boolean;
  readonly leave: () => void;
}

/** Serves streams of changes in memory for a service with one credential. Nothing is heard yet. */
export function serveChanges(limits?: StreamLimits) {
  const clock = createFixedClock(START);
  const times = { clock, monotonicClock: { elapsedMs: () => clock.now() - START }, maxStalenessMs: 1000 };
  const feed = createInMemoryChangeFeed(times);
  const credential = aCredential();
  let services: readonly Service[] = [aService({ credentials: [credential] })];
  const [service] = services as [Service];
  const timers: { readonly ms: number; readonly call: () => void }[] = [];
  const handles = createTokenHandles({ services: { findHandleSecret: async () => SECRET as never } });
  let list: () => readonly Service[] | Promise<readonly Service[]> = () => services;
  const changes = createTokenChanges({
    ...times,
    feed,
    isFresh: createFreshnessCheck({ feed, ...times }),
    services: { list: () => list() },
    handles,
    limits,
    after(ms, call) {
      const timer = { ms, call };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });

  const callerOf = ({ name, credentials: [first = credential] }: Service): ServiceCaller => ({
    kind: 'service',
    service: name,
    credential: first.hash,
    origin: 'test',
  });

  function read(write: WriteChanges): Client {
    let text = '';
    let ended = false;
    const gone = new AbortController();
    const client = {
      unread: 0,
      get events() {
        return [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data));
      },
      hasEnded: () => ended,
      leave: () => gone.abort(),
    };
    void write(
      {
        write(part) {
          text += part;
        },
        unread: () => client.unread,
        end() {
          ended = true;
        },
      },
      gone.signal,
    );
    return client;
  }

  return {
    changes,
    clock,
    feed,
    handles,
    service,
    timers,
    callerOf,
    /** Opens a stream of the service, or of another one. */
    async open(of = service): Promise<Client> {
      return read(unwrap(await changes.open(callerOf(of), 'nonce-nonce-nonce')));
    },
    replaceServices(next: readonly Service[]) {
      services = next;
    },
    /** Replaces the read of the services. */
    listBy(next: typeof list) {
      list = next;
    },
    /** Opens a stream only when it is read. */
    begin: async () => unwrap(await changes.open(callerOf(service), 'nonce-nonce-nonce')),
    read,
  };
}

/** Lets the changes that the feed delivered together become a line. */
export const told = () => new Promise<void>((resolve) => queueMicrotask(resolve));
