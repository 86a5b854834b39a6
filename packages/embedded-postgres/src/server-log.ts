/** Said by a PostgreSQL that may not start, because another one runs, starts, or is not wholly gone. */
export const OCCUPIED = /lock file .* (already exists|is empty)|pre-existing shared memory/;

/** The last thing that the process said before it gave up; several may be writing, and lines carry the process id. */
export function lastFatal(said: string, pid: number | undefined): string | undefined {
  return said
    .split('\n')
    .filter((line) => line.includes(`[${pid}]`) && line.includes('FATAL:'))
    .at(-1)
    ?.replace(/^.*FATAL: */, '');
}
