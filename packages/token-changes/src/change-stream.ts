import type { HeardUpTo } from '@gatehouse/domain/changes';
import type { ChangeSink } from '@gatehouse/domain/services';

/** The largest number of characters that a client may leave unread before its changes are joined into `all`. */
export const MAX_UNREAD = 256 * 1024;

export type ChangeStream = ReturnType<typeof createChangeStream>;

/** A proof as JSON, without the position, which differs between streams. */
export interface EncodedProof {
  readonly before: string;
  readonly after: string;
}

/** Encodes a proof once for all streams. The name of the database server is empty if it cannot be found out. */
export function encodeProof({ elapsedMs, at, database }: HeardUpTo): EncodedProof {
  const server = JSON.stringify(database ?? '');
  const before = `{"proof":{"heard":${elapsedMs},"time":${at},"database":${server},"position":`;
  return { before, after: '}}' };
}

/**
 * Writes the lines of one stream and counts them. If the client does not read, its changes wait as `all`, and nothing is
 * proved before that line is written.
 */
export function createChangeStream(sink: ChangeSink) {
  let position = 0;
  let owesAll = false;

  function send(json: string): void {
    sink.write(`data: ${json}\n\n`);
    position += 1;
  }

  return {
    hello: (hello: object) => send(JSON.stringify({ hello })),

    /** @param handles handles as JSON without brackets, or `all` */
    changed(handles: string | 'all'): void {
      if (owesAll) return;
      owesAll = sink.unread() + handles.length > MAX_UNREAD;
      if (!owesAll) send(handles === 'all' ? '{"changed":"all"}' : `{"changed":[${handles}]}`);
    },

    /** Says that all changes up to this moment have been written, unless the client has left too much unread. */
    prove({ before, after }: EncodedProof): void {
      if (sink.unread() > MAX_UNREAD) return;
      if (owesAll) send('{"changed":"all"}');
      owesAll = false;
      send(`${before}${position}${after}`);
    },
  };
}
