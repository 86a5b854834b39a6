/** Figures of a machine that a run of this benchmark does not replace. */
export interface MeasuredRow {
  readonly workers: number;
  readonly barePerSecond: number;
  /** Whether the load generator, and not the server, was the limit. */
  readonly isLimitOfLoad?: true;
  readonly knownPerSecond: number;
  readonly knownMicroseconds: number;
  readonly knownP99Ms: number;
  readonly signInsPerSecond: number;
  readonly memoryMegabytes: number;
}

/**
 * A measurement of November 2026 on a machine of 16 cores, 12 for the server and 4 for the load. It was made before this benchmark
 * had a part for workers, and before each worker had hashing threads of its own. The memory matches that of a server from sources.
 */
export const SIXTEEN_CORES = {
  when: 'November 2026',
  before: '1.2.0',
  cores: { server: 12, load: 4 },
  rows: [
    row(1, 59_300, 44_200, 23.5, 3.7, 291, 187),
    row(2, 113_000, 82_200, 25.3, 2.9, 302, 354),
    row(4, 246_000, 180_000, 22.5, 2.3, 316, 574),
    row(8, 501_000, 322_000, 24.9, 2.1, 507, 1_010),
    { ...row(12, 520_000, 449_000, 25.4, 2.6, 474, 1_443), isLimitOfLoad: true },
  ] satisfies readonly MeasuredRow[] as readonly MeasuredRow[],
  revocation: { tokens: 25, workers: 12, requestsPerSecond: 232_000, lastAcceptedMs: 3.2 },
  /** The CPU of a token that the server has never seen, in microseconds, by the number of workers. */
  neverSeen: [
    { workers: 1, microseconds: 391 },
    { workers: 12, microseconds: 822 },
  ],
} as const;

function row(
  workers: number,
  barePerSecond: number,
  knownPerSecond: number,
  knownMicroseconds: number,
  knownP99Ms: number,
  signInsPerSecond: number,
  memoryMegabytes: number,
): MeasuredRow {
  return {
    workers,
    barePerSecond,
    knownPerSecond,
    knownMicroseconds,
    knownP99Ms,
    signInsPerSecond,
    memoryMegabytes,
  };
}
