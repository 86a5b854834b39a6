import type { Logger } from 'pino';
import { createLog } from '../src/logging/log.ts';

export interface RecordedLog {
  readonly log: Logger;
  /** The written lines, one JSON document each. */
  readonly lines: readonly string[];
  entries(): readonly Readonly<Record<string, unknown>>[];
}

export function recordLog(): RecordedLog {
  const lines: string[] = [];
  const { log } = createLog('trace', { write: (line) => void lines.push(line) });
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line)) };
}
