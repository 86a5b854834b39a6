import type { H3Event } from 'h3';

declare module 'h3' {
  interface H3EventContext {
    /** By the monotonic clock. */
    startedAt?: number;
  }
}

/** Records every response. Without a route: the path is not served. */
export interface RequestRecorder {
  record(route: string | undefined, method: string, status: number, milliseconds: number): void;
}

export function noteStart(event: H3Event): void {
  event.context.startedAt = performance.now();
}

/** Since the head of the request was read. */
export function elapsedMs({ context: { startedAt } }: H3Event): number {
  return startedAt === undefined ? 0 : performance.now() - startedAt;
}
