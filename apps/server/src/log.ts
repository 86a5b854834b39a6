import { escapeInvisible, UnavailableFault } from '@gatehouse/domain';
import { type DestinationStream, type Level, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { LINES_LOST } from './log-rooms.ts';
import { createRefusedLines, type RefusedLine } from './refused-lines.ts';
import { createRepeatedLines, type LineGroup, type Tier } from './repeated-lines.ts';

/** From the most talkative to none at all. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** So many different warnings are counted apart at the same time; further ones are only counted. */
const WARNING_TIERS: readonly Tier[] = [
  { maxGroups: 100, maxWritten: 1 },
  { maxGroups: 1, maxWritten: 0 },
];

export interface Log {
  readonly log: Logger;
  /** Writes how often lines were repeated since that was last written. */
  readonly flush: () => void;
}

/**
 * Writes JSON lines. What is logged is chosen by name, never a whole request: those hold tokens and passwords. What
 * clients sent, such as emails, is escaped as far as it acts on a terminal or does not show.
 * Of equal warnings and errors the first is written at once, and once a second how many more there were. So are refused
 * tokens of one client network, and what one token may not do, of which the first 20 are written.
 */
export function createLog(level: Level | 'silent', destination: DestinationStream): Log {
  const warnings = createRepeatedLines(WARNING_TIERS);
  const refusals = createRefusedLines();
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
      hooks: {
        streamWrite: escapeInvisible,
        logMethod(args, write, lineLevel) {
          const logged = describeLine(this, { args, write });
          const isWarning = lineLevel === warn || lineLevel === error;
          const groups = isWarning ? warningGroups(lineLevel, logged) : undefined;
          const isWritten = groups === undefined ? refusals.admit(logged) : warnings.admit(groups);
          if (isWritten) write.apply(this, args);
        },
      },
    },
    destination,
  );
  return {
    log,
    flush() {
      warnings.flush();
      refusals.flush();
    },
  };
}

const { warn, error } = pino.levels.values;

interface Logged {
  readonly message: string;
  readonly facts: Facts;
  /** Writes a line of the same message, level and logger, which is not counted. */
  readonly write: (facts: object, message?: string) => void;
}

function describeLine(
  logger: Logger,
  { args, write }: { readonly args: readonly unknown[]; readonly write: LogFn },
): Logged {
  const [facts, message] =
    typeof args[0] === 'string' ? [{} as Facts, args[0]] : [args[0] as Facts, String(args[1])];
  return { message, facts, write: (others, text = message) => write.call(logger, others, text) };
}

/** A warning or an error is counted with those that are equal to it, whichever request it is about. */
function warningGroups(level: number, { message, facts, write }: Logged): readonly LineGroup[] | undefined {
  // They are few, and each has another count.
  if (message.startsWith(LINES_LOST)) return undefined;
  const { request_id: _, ...equal } = facts;
  const described = 'err' in equal ? { ...equal, err: describeFault(equal.err) } : equal;
  return [
    {
      key: `${level} ${message} ${JSON.stringify(described)}`,
      summarize: (repeated) => write({ ...equal, repeated }),
    },
    { key: '', summarize: (lines) => write({ lines }, `${LINES_LOST}: too many different warnings`) },
  ];
}

type Facts = RefusedLine['facts'] & {
  readonly request_id?: unknown;
  readonly err?: unknown;
};

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
