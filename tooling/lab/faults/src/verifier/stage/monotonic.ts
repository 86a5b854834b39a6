/** The monotonic clock of the machine in milliseconds, which all of its processes share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
