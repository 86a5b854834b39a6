const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Parses a duration such as `90d` (a whole number from 1 and one of the units s, m, h, d, w) to milliseconds. */
export function parseDuration(text: string): number | undefined {
  const parts = /^([1-9]\d{0,8})([smhdw])$/.exec(text);
  if (!parts) return undefined;
  const milliseconds = Number(parts[1]) * (UNITS[parts[2] as string] as number);
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
