/** Milliseconds of the system's monotonic clock, which all processes of the machine share. */
export function steadyTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
