import type { SignInOutcome } from './routes/sign-in.ts';

/** The messages of lines that have a buffer of their own. */
export const SIGN_IN_LINE = 'sign-in';
export const REFUSED_LINE = 'refused';
/** The beginning of lines that report lost lines. */
export const LINES_LOST = 'lines of the log were lost';

/**
 * The buffers of lines that wait to be written, the most urgent first: messages about the log itself, sign-ins whose
 * credentials were checked, sign-ins that were refused before that, refused tokens, and everything else (ADR 20).
 */
export const LOG_BUFFERS = ['log', 'sign-ins', 'refused-sign-ins', 'refusals', 'others'] as const;
export type LogBuffer = (typeof LOG_BUFFERS)[number];

/** Outcomes that cost a client nothing and so can be numerous; each of the others takes a hash. */
const REFUSED_UNSEEN: readonly unknown[] = [
  'too_many_attempts',
  'hashing_busy',
  'unavailable',
  'failed',
] satisfies readonly SignInOutcome[];

/** Returns the buffer of a line. */
export function bufferOf(message = '', facts: object = {}): LogBuffer {
  if (message.startsWith(LINES_LOST)) return 'log';
  if (message === REFUSED_LINE) return 'refusals';
  if (message !== SIGN_IN_LINE) return 'others';
  return 'outcome' in facts && REFUSED_UNSEEN.includes(facts.outcome) ? 'refused-sign-ins' : 'sign-ins';
}

/** Buffers for lines that wait to be written. */
interface LogBuffers {
  /** Adds the line, or counts it as lost if its buffer is full. */
  add(buffer: LogBuffer, line: string): void;
  /**
   * Removes and returns the next lines to write, up to this size, the most urgent buffer first. A line that is longer
   * is returned by itself.
   */
  take(maxBytes: number): string | undefined;
  readonly isEmpty: boolean;
  /** Returns how many lines of each buffer were lost since the last call; undefined if none. */
  takeLost(): Readonly<Record<LogBuffer, number>> | undefined;
}

interface LogBuffersOptions {
  /** The size of each buffer, in bytes. */
  readonly limits: Readonly<Record<LogBuffer, number>>;
}

/** Lines are joined to pieces of at most this size; a longer line is a piece by itself. */
const PIECE_BYTES = 4096;

interface Piece {
  text: string;
  bytes: number;
}

export function createLogBuffers({ limits }: LogBuffersOptions): LogBuffers {
  const buffers = new Map(LOG_BUFFERS.map((buffer) => [buffer, { pieces: [] as Piece[], bytes: 0 }]));
  const noneLost = () =>
    ({ log: 0, 'sign-ins': 0, 'refused-sign-ins': 0, refusals: 0, others: 0 }) satisfies Record<
      LogBuffer,
      number
    >;
  let lost = noneLost();
  const waiting = () => [...buffers.values()].find(({ bytes }) => bytes > 0);

  return {
    add(name, line) {
      const buffer = buffers.get(name);
      const bytes = Buffer.byteLength(line);
      if (buffer === undefined || buffer.bytes + bytes > limits[name]) {
        lost[name] += 1;
        return;
      }
      buffer.bytes += bytes;
      const last = buffer.pieces.at(-1);
      if (last === undefined || last.bytes + bytes > PIECE_BYTES) buffer.pieces.push({ text: line, bytes });
      else {
        last.text += line;
        last.bytes += bytes;
      }
    },
    take(maxBytes) {
      let [text, taken] = ['', 0];
      for (let buffer = waiting(); buffer !== undefined; buffer = waiting()) {
        const [piece] = buffer.pieces;
        if (piece === undefined || (taken > 0 && taken + piece.bytes > maxBytes)) break;
        buffer.pieces.shift();
        buffer.bytes -= piece.bytes;
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
