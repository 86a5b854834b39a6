import type { ServiceCaller } from '@gatehouse/domain/access';
import type { ServiceName } from '@gatehouse/domain/services';
import type { ChangeStream } from './change-stream.ts';
import type { HandleOf } from './token-handles.ts';

/** A stream that is open, and the service that reads it. */
export interface OpenStream {
  readonly caller: ServiceCaller;
  readonly stream: ChangeStream;
  readonly end: () => void;
}

/** The open streams of one service. All are told the same handles. */
export interface Audience {
  readonly service: ServiceName;
  readonly handleOf: HandleOf;
  readonly open: Set<OpenStream>;
}

/** The largest numbers of open streams. */
export interface StreamLimits {
  readonly streams: number;
  readonly ofOneService: number;
}

export type OpenStreams = ReturnType<typeof createOpenStreams>;

/** Lists the open streams by service, within the limits. */
export function createOpenStreams({ streams, ofOneService }: StreamLimits) {
  const audiences = new Map<ServiceName, Audience>();
  let count = 0;

  return {
    count: () => count,
    isFull: (service: ServiceName) =>
      count >= streams || (audiences.get(service)?.open.size ?? 0) >= ofOneService,
    audiences: () => audiences.values(),
    add(handleOf: HandleOf, stream: OpenStream): void {
      const { service } = stream.caller;
      const audience = audiences.get(service) ?? { service, handleOf, open: new Set() };
      audiences.set(service, audience);
      audience.open.add(stream);
      count += 1;
    },
    /** Returns whether the stream was open. */
    remove(stream: OpenStream): boolean {
      const audience = audiences.get(stream.caller.service);
      if (!audience?.open.delete(stream)) return false;
      count -= 1;
      if (audience.open.size === 0) audiences.delete(audience.service);
      return true;
    },
    endAll(): void {
      for (const { open } of [...audiences.values()]) for (const { end } of [...open]) end();
    },
  };
}
