import { escapeInvisible, SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import { type DestinationStream, type Level, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { kindOf } from './line-kind.ts';
import { groupsByNetwork, groupsByToken, type LoggedLine, REFUSAL_TIERS } from './refused-lines.ts';
import { createRepeatedLines, type Tier } from './repeated-lines.ts';

/** The log levels, from the most to the least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * Limits on repeated warnings and errors: 100 different ones are counted separately at the same time, and all further
 * ones share one count.
 */
const WARNING_TIERS: readonly Tier[] = [
  { maxGroups: 100, maxWritten: 1 },
  { maxGroups: 1, maxWritten: 0 },
];

/**
 * Creates a log of JSON lines. Only named facts are logged, never a whole request, which contains tokens and passwords.
 * In text from clients, such as emails, control characters and invisible characters are escaped. If equal warnings or
 * errors repeat, the log has the first line at once, and then one line per second with the number of repetitions. Lines
 * about refused tokens of one client network, and about denied requests of one token, are limited in the same way after
 * their first 20 lines.
 *
 * @param mixin returns facts to add to a line. By default, no facts are added
 */
export function createLog(
  level: Level | 'silent',
  destination: DestinationStream,
  mixin?: (facts: object) => object,
) {
  const warnings = createRepeatedLines(WARNING_TIERS);
  // Separate counts, so that a flood of invalid tokens suppresses no lines about denied requests of valid tokens.
  const [unaccepted, accepted] = [createRepeatedLines(REFUSAL_TIERS), createRepeatedLines(REFUSAL_TIERS)];

  /** Whether to write the line now; otherwise it is counted. */
  function admit(level: number, line: LoggedLine): boolean {
    const kind = kindOf(line.facts);
    // Lines about lost lines are never counted as repeated: they are few, and each has another number of lost lines.
    if (kind === 'lines_lost') return true;
    if (level === warn || level === error) return warnings.admit(warningGroups(level, line));
    if (kind !== 'refused') return true;
    return line.facts.token_id === undefined
      ? unaccepted.admit(groupsByNetwork(line))
      : accepted.admit(groupsByToken(line));
  }

  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
      ...(mixin && { mixin }),
      hooks: {
        streamWrite: escapeInvisible,
        logMethod(args, write, lineLevel) {
          const isWritten = admit(lineLevel, describeLine(this, args, write));
          if (isWritten) write.apply(this, args);
        },
      },
    },
    destination,
  );
  return {
    log,
    /** Writes the number of repetitions of each repeated line that were counted but not written yet. */
    flush() {
      for (const counted of [warnings, unaccepted, accepted]) counted.flush();
    },
  };
}

const { warn, error } = pino.levels.values;

const TOO_MANY = 'lines of the log were lost, because there were too many different warnings and errors';

function describeLine(logger: Logger, args: readonly unknown[], write: LogFn): LoggedLine {
  const [facts, text] = typeof args[0] === 'string' ? [{}, args[0]] : args;
  const message = String(text);
  const writeOther: LoggedLine['write'] = (others, other = message) => write.call(logger, others, other);
  return { message, facts: facts as LoggedLine['facts'], write: writeOther };
}

/** Returns the groups of a warning or an error. Lines that differ only in the request id have the same group. */
function warningGroups(level: number, { message, facts, write }: LoggedLine) {
  const { request_id: _, ...equal } = facts;
  const described = 'err' in equal ? { ...equal, err: describeFault(equal.err) } : equal;
  return [
    {
      key: `${level} ${message} ${JSON.stringify(described)}`,
      summarize: (repeated: number) => write({ ...equal, repeated }),
    },
    { key: '', summarize: (lines: number) => write({ kind: 'lines_lost', lines }, TOO_MANY) },
  ];
}

/**
 * Returns the members of an error that are logged. All other members are left out, because database drivers put
 * statements and rows into them. The stack is logged only if the error is a bug.
 */
function describeFault(fault: unknown, hasStack = isDefect(fault)): object {
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

function isDefect(fault: unknown): boolean {
  return ![UnavailableFault, SetupFault, UnstorableText].some((kind) => fault instanceof kind);
}
