import type { SignInOutcome } from './routes/sign-in.ts';

/** The messages of lines that have room of their own, as they are logged. */
export const SIGN_IN_LINE = 'sign-in';
export const REFUSED_LINE = 'refused';
/** How lines begin that tell of others that are missing. */
export const LINES_LOST = 'lines of the log were lost';

/**
 * Where lines wait to be written, the most urgent first: what the log says of itself, sign-ins whose credentials were
 * checked, sign-ins refused before that, refused tokens, and everything else. None takes the room of another.
 */
export const LOG_ROOMS = ['log', 'sign-ins', 'refused-sign-ins', 'refusals', 'others'] as const;
export type LogRoom = (typeof LOG_ROOMS)[number];

/** Outcomes that cost a client nothing, so that there can be any number of them; each of the others takes a hash. */
const REFUSED_UNSEEN: readonly unknown[] = [
  'too_many_attempts',
  'hashing_busy',
  'unavailable',
  'failed',
] satisfies readonly SignInOutcome[];

/** The room of a line, by its message and its facts. */
export function roomOf(message = '', facts: object = {}): LogRoom {
  if (message.startsWith(LINES_LOST)) return 'log';
  if (message === REFUSED_LINE) return 'refusals';
  if (message !== SIGN_IN_LINE) return 'others';
  return 'outcome' in facts && REFUSED_UNSEEN.includes(facts.outcome) ? 'refused-sign-ins' : 'sign-ins';
}

/** Lines that wait to be written. */
export interface WaitingLines {
  /** What exceeds the room is lost, and counted. */
  add(room: LogRoom, line: string): void;
  /**
   * The next lines to write, those of the most urgent room first, of so many bytes together at most; a line that is
   * longer comes by itself.
   */
  take(maxBytes: number): string | undefined;
  readonly isEmpty: boolean;
  /** How many lines of each room were lost since this was last asked; undefined if none was. */
  takeLost(): Readonly<Record<LogRoom, number>> | undefined;
}

export interface WaitingLinesOptions {
  /** In bytes. */
  readonly limits: Readonly<Record<LogRoom, number>>;
}

/** Lines are kept in pieces of so many bytes; a longer line is a piece by itself. */
const PIECE_BYTES = 4096;

interface Piece {
  text: string;
  bytes: number;
}

export function createWaitingLines({ limits }: WaitingLinesOptions): WaitingLines {
  const rooms = new Map(LOG_ROOMS.map((room) => [room, { pieces: [] as Piece[], bytes: 0 }]));
  const noneLost = () =>
    ({ log: 0, 'sign-ins': 0, 'refused-sign-ins': 0, refusals: 0, others: 0 }) satisfies Record<
      LogRoom,
      number
    >;
  let lost = noneLost();
  const waiting = () => [...rooms.values()].find(({ bytes }) => bytes > 0);

  return {
    add(name, line) {
      const room = rooms.get(name);
      const bytes = Buffer.byteLength(line);
      if (room === undefined || room.bytes + bytes > limits[name]) {
        lost[name] += 1;
        return;
      }
      room.bytes += bytes;
      const last = room.pieces.at(-1);
      if (last === undefined || last.bytes + bytes > PIECE_BYTES) room.pieces.push({ text: line, bytes });
      else {
        last.text += line;
        last.bytes += bytes;
      }
    },
    take(maxBytes) {
      let [text, taken] = ['', 0];
      for (let room = waiting(); room !== undefined; room = waiting()) {
        const [piece] = room.pieces;
        if (piece === undefined || (taken > 0 && taken + piece.bytes > maxBytes)) break;
        room.pieces.shift();
        room.bytes -= piece.bytes;
        text += piece.text;
        taken += piece.bytes;
      }
      return taken === 0 ? undefined : text;
    },
    get isEmpty() {
      return waiting() === undefined;
    },
    takeLost() {
      const counts = lost;
      lost = noneLost();
      return Object.values(counts).some((count) => count > 0) ? counts : undefined;
    },
  };
}
