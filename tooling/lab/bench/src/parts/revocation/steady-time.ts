/** Returns the system's monotonic clock in milliseconds, which all processes of the machine share. */
export function steadyTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
