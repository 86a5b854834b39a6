import { escapeInvisible, SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import { type DestinationStream, type Level, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { kindOf } from './line-kind.ts';
import { groupsByNetwork, groupsByToken, type LoggedLine, REFUSAL_TIERS } from './refused-lines.ts';
import { createRepeatedLines, type Tier } from './repeated-lines.ts';

/** The log levels, from the most to the least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Limits how many different warnings are counted separately at the same time. All others share one count. */
const WARNING_TIERS: readonly Tier[] = [
  { maxGroups: 100, maxWritten: 1 },
  { maxGroups: 1, maxWritten: 0 },
];

/**
 * Creates a log of JSON lines. Only named facts are logged, never a whole request, which contains tokens and passwords.
 * In text from clients, such as emails, control characters and invisible characters are escaped. Of equal warnings and
 * errors the first is written at once, and a count of the others once per second. Refused tokens of one client network
 * and denied requests of one token are limited in the same way, with the first 20 lines written.
 *
 * @param mixin returns facts that are added to those of a line. Nothing by default
 */
export function createLog(
  level: Level | 'silent',
  destination: DestinationStream,
  mixin?: (facts: object) => object,
) {
  const warnings = createRepeatedLines(WARNING_TIERS);
  // Two counts, so that a flood of tokens that are not accepted suppresses no line about accepted ones.
  const [unaccepted, accepted] = [createRepeatedLines(REFUSAL_TIERS), createRepeatedLines(REFUSAL_TIERS)];

  /** Whether to write the line now; otherwise it is counted. */
  function admit(level: number, line: LoggedLine): boolean {
    const kind = kindOf(line.facts);
    // Lines about lost lines are never counted together: they are few, and each has another number.
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
    /** Writes the pending counts of repeated lines. */
    flush() {
      for (const counted of [warnings, unaccepted, accepted]) counted.flush();
    },
  };
}

const { warn, error } = pino.levels.values;

const TOO_MANY = 'lines of the log were lost: too many different warnings';

function describeLine(logger: Logger, args: readonly unknown[], write: LogFn): LoggedLine {
  const [facts, text] = typeof args[0] === 'string' ? [{}, args[0]] : args;
  const message = String(text);
  const writeOther: LoggedLine['write'] = (others, other = message) => write.call(logger, others, other);
  return { message, facts: facts as LoggedLine['facts'], write: writeOther };
}

/** Groups warnings and errors that differ only in the request. */
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
 * Returns the parts of a fault that are logged. Other members of an error are left out, because drivers of databases put
 * statements and rows into them. Only a defect of the program is logged with its stack.
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
