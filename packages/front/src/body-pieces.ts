import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The number of pieces that the body of each request may have, in addition to one piece for each `PIECE_SIZE` bytes. A
 * piece is a chunk, or the part of a chunk that arrived at once.
 */
export const MAX_SMALL_PIECES = 256;

/** The number of bytes of a body that allow it to have one more piece. */
const PIECE_SIZE = 1024;

/** `HTTPParser.kOnBody`. The constant is not documented; body-pieces.test.ts fails if Node changes it. */
const ON_BODY = 3;

type TakeBody = (this: Parser, piece: Uint8Array) => void;

interface Parser {
  readonly incoming: IncomingMessage | null;
  readonly socket: Socket | null;
  [ON_BODY]: TakeBody | null;
}

/** Node's own callback for pieces of a body, which is the same for all parsers. */
let takeBody: TakeBody | undefined;

/**
 * Closes a connection that sends a body in too many small pieces, even if no handler reads the body. Node calls a
 * function for each piece: up to 10,900 times for the 64 KiB that it parses at once. At the limit the function is
 * removed from Node's parser, which then skips the remaining pieces.
 */
export function limitBodyPieces(node: Server, exceeded: () => void): void {
  node.on('connection', (socket: Socket & { readonly parser?: Parser }) => {
    const { parser } = socket;
    takeBody ??= parser?.[ON_BODY] ?? undefined;
    const take = takeBody;
    if (!parser || typeof take !== 'function')
      throw new TypeError('this version of Node has an HTTP parser that Gatehouse does not support');
    let request: IncomingMessage | null = null;
    let pieces = 0;
    let size = 0;
    let isCut = false;
    const count: TakeBody = (piece) => {
      if (parser.incoming !== request) {
        request = parser.incoming;
        pieces = 0;
        size = 0;
      }
      pieces += 1;
      size += piece.length;
      if (pieces <= MAX_SMALL_PIECES + size / PIECE_SIZE) {
        take.call(parser, piece);
        return;
      }
      parser[ON_BODY] = null;
      isCut = true;
      exceeded();
      socket.destroy();
    };
    parser[ON_BODY] = count;
    // Node uses its parsers for one connection after another, so Node's own callback is put back into the parser. After
    // a CONNECT, another connection may already use the parser when this connection closes; then the callback of that
    // other connection stays.
    socket.once('close', () => {
      const isOurs = parser[ON_BODY] === count || (isCut && parser[ON_BODY] === null);
      if (isOurs) parser[ON_BODY] = take;
    });
  });
}
