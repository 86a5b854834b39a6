import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The number of pieces of a request's body (chunks, or parts of them) that may be smaller than `PIECE_SIZE`. */
export const MAX_SMALL_PIECES = 256;

/** One more small piece is allowed for each `PIECE_SIZE` bytes of the body. */
const PIECE_SIZE = 1024;

/** `HTTPParser.kOnBody`. It is not documented: body-pieces.test.ts pins what is used. */
const ON_BODY = 3;

type TakeBody = (this: Parser, piece: Uint8Array) => void;

interface Parser {
  readonly incoming: IncomingMessage | null;
  readonly socket: Socket | null;
  [ON_BODY]: TakeBody | null;
}

/** Node's original callback, which is the same for all parsers. */
let takeBody: TakeBody | undefined;

/**
 * Cuts a connection whose request has a body in too many small pieces, even if no handler reads the body. Node calls a
 * function for each piece, 10,900 times for the 64 KiB that it parses at once. If the function is removed, Node's parser
 * skips the remaining pieces.
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
    // Node reuses its parsers. After a CONNECT, another connection may have the parser already when this one closes.
    socket.once('close', () => {
      const isOurs = parser[ON_BODY] === count || (isCut && parser[ON_BODY] === null);
      if (isOurs) parser[ON_BODY] = take;
    });
  });
}
