import { getSystemErrorMessage } from 'node:util';

/** Returns the name of a system error, such as ENOENT; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Returns the operating system's message for a system error. Rethrows any other error. */
export function reason(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
    return getSystemErrorMessage(error.errno);
  }
  throw error;
}
