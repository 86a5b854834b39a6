import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';

/** From the most talkative to none at all. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Writes JSON lines. What is logged is chosen by name, never a whole request: those hold tokens and passwords. */
export function createLog(level: Level | 'silent', destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
    },
    destination,
  );
}

/** Drivers put statements and rows into the further members of their errors: those stay out. */
function describeFault(fault: unknown): object {
  if (!(fault instanceof Error)) return { message: String(fault) };
  const { name, message, stack, cause } = fault;
  const code = 'code' in fault ? fault.code : undefined;
  return { name, message, code, stack, ...(cause !== undefined && { cause: describeFault(cause) }) };
}
