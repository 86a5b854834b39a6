import type { SignInOutcome } from '../composition/recorded-sign-in.ts';
import { kindOf } from './line-kind.ts';

/**
 * The buffers of log lines that wait to be written, with the share of the memory that each buffer may use. Buffers are
 * written in this order. `sign-ins` has the sign-ins whose password was checked, and `refused-sign-ins` those that were
 * refused before that check. These buffers are separate, so that a flood of refused sign-ins displaces no lines about
 * sign-ins whose password was checked (ADR 20).
 */
const SHARES = {
  log: 1 / 16,
  'sign-ins': 5 / 16,
  'refused-sign-ins': 3 / 16,
  refusals: 2 / 16,
  others: 5 / 16,
} as const;
type LogBuffer = keyof typeof SHARES;
const LOG_BUFFERS = Object.keys(SHARES) as LogBuffer[];

/** Outcomes of sign-ins whose password or code was not checked. Clients can cause any number of such lines. */
const REFUSED_UNSEEN: readonly unknown[] = [
  'too_many_attempts',
  'hashing_busy',
  'sign_in_expired',
  'unavailable',
  'failed',
] satisfies readonly SignInOutcome[];

/** Returns the name of the buffer for a line with these facts. */
export function bufferOf(facts: { readonly outcome?: unknown } = {}): LogBuffer {
  switch (kindOf(facts)) {
    case 'lines_lost':
      return 'log';
    case 'refused':
      return 'refusals';
    case 'sign_in':
      return REFUSED_UNSEEN.includes(facts.outcome) ? 'refused-sign-ins' : 'sign-ins';
    default:
      return 'others';
  }
}

/**
 * The largest size of a piece, in bytes. Short lines are joined to one piece; a line that is longer than this size is a
 * piece of its own.
 */
const PIECE_BYTES = 4096;

/** Creates the buffers for log lines that wait to be written. */
export function createLogBuffers(limit: number) {
  const buffers = new Map(
    LOG_BUFFERS.map((buffer) => [buffer, { pieces: [] as { text: string; bytes: number }[], bytes: 0 }]),
  );
  const lost = new Map<LogBuffer, number>();
  const waiting = () => [...buffers.values()].find(({ bytes }) => bytes > 0);

  return {
    /** Adds the line to this buffer. If the buffer is full, the line is lost and only counted. */
    add(name: LogBuffer, line: string): void {
      const buffer = buffers.get(name);
      const bytes = Buffer.byteLength(line);
      if (buffer === undefined || buffer.bytes + bytes > limit * SHARES[name]) {
        lost.set(name, (lost.get(name) ?? 0) + 1);
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
    /**
     * Removes and returns the next lines to write, of at most `maxBytes` together. Lines of more urgent buffers come
     * before all others. A line that is longer than `maxBytes` is returned alone. Returns undefined if no lines wait.
     */
    take(maxBytes: number): string | undefined {
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
    isEmpty: () => waiting() === undefined,
    /**
     * Returns the number of lines that were lost since the last call, in total and per buffer; undefined if none were.
     */
    takeLost() {
      if (lost.size === 0) return undefined;
      const counts = {
        lines: [...lost.values()].reduce((sum, count) => sum + count),
        sign_ins: lost.get('sign-ins') ?? 0,
        refused_sign_ins: lost.get('refused-sign-ins') ?? 0,
        refusals: lost.get('refusals') ?? 0,
      };
      lost.clear();
      return counts;
    },
  };
}
