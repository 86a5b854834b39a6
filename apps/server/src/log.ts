import { escapeUnseen, UnavailableFault } from '@gatehouse/domain';
import { type DestinationStream, type Level, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { LINES_LOST } from './log-rooms.ts';
import { createRepeatedLines } from './repeated-lines.ts';

/** From the most talkative to none at all. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface Log {
  readonly log: Logger;
  /** Writes how often lines were repeated since that was last written. */
  readonly flush: () => void;
}

/**
 * Writes JSON lines. What is logged is chosen by name, never a whole request: those hold tokens and passwords. What
 * clients sent, such as emails, is escaped as far as it acts on a terminal or does not show.
 * Of equal warnings and errors the first is written at once, and once a second how many more there were.
 */
export function createLog(level: Level | 'silent', destination: DestinationStream): Log {
  const repeats = createRepeatedLines();
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
      hooks: {
        streamWrite: escapeUnseen,
        logMethod(args, write, lineLevel) {
          const line = lineOf(this, { args, write, lineLevel });
          if (line === undefined || repeats.admit(line.key, line.summary)) write.apply(this, args);
        },
      },
    },
    destination,
  );
  return { log, flush: repeats.flush };
}

const { warn, error } = pino.levels.values;

interface Logged {
  readonly args: readonly unknown[];
  readonly write: LogFn;
  readonly lineLevel: number;
}

/**
 * A warning or an error as it is counted: equal to others whichever request it is about. Lines below `warn` and at
 * `fatal` are always written.
 */
function lineOf(logger: Logger, { args, write, lineLevel }: Logged) {
  if (lineLevel !== warn && lineLevel !== error) return undefined;
  const [facts, message] =
    typeof args[0] === 'string' ? [{} as Facts, args[0]] : [args[0] as Facts, String(args[1])];
  // They are few, and each has another count.
  if (message.startsWith(LINES_LOST)) return undefined;
  const { request_id: _, ...equal } = facts;
  const described = 'err' in equal ? { ...equal, err: describeFault(equal.err) } : equal;
  return {
    key: `${lineLevel} ${message} ${JSON.stringify(described)}`,
    summary: {
      repeated: (repeated: number) => write.call(logger, { ...equal, repeated }, message),
      lost: (lines: number) => write.call(logger, { lines }, `${LINES_LOST}: too many different warnings`),
    },
  };
}

interface Facts {
  readonly request_id?: unknown;
  readonly err?: unknown;
}

/**
 * Drivers put statements and rows into the further members of their errors: those stay out. An `UnavailableFault` is no
 * defect, so its stack is left out.
 */
function describeFault(fault: unknown, hasStack = !(fault instanceof UnavailableFault)): object {
  if (!(fault instanceof Error)) return { message: String(fault) };
  const { name, message, cause } = fault;
  const code = 'code' in fault ? fault.code : undefined;
  return {
    name,
    message,
    code,
    ...(hasStack && { stack: fault.stack }),
    ...(cause !== undefined && { cause: describeFault(cause, hasStack) }),
  };
}
