/** Logged by a PostgreSQL that cannot start because another one is running, starting or stopping. */
export const OCCUPIED = /lock file .* (already exists|is empty)|pre-existing shared memory/;

/** Returns the last fatal message of the process. Several processes may write; each line has the process id. */
export function lastFatal(said: string, pid: number | undefined): string | undefined {
  return said
    .split('\n')
    .filter((line) => line.includes(`[${pid}]`) && line.includes('FATAL:'))
    .at(-1)
    ?.replace(/^.*FATAL: */, '');
}
