const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

const DURATION = /^([1-9]\d*)([smhdwy])$/;

/**
 * Parses a duration such as `90d` (a whole number from 1 and one of the units s, m, h, d, w, y) to milliseconds. A year
 * has 365 days. Returns undefined for other text, and for a duration that is too long for an exact number (see
 * `longestDuration`).
 */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const milliseconds = Number(count) * (UNITS[unit] as number);
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}

/**
 * For a duration that is too long, returns the longest possible duration in the same unit, such as `104249991d`.
 * Returns undefined for any other text.
 */
export function longestDuration(text: string): string | undefined {
  const [, , unit] = DURATION.exec(text) ?? [];
  if (unit === undefined || parseDuration(text) !== undefined) return undefined;
  return `${Math.floor(Number.MAX_SAFE_INTEGER / (UNITS[unit] as number))}${unit}`;
}

/** Formats whole seconds, in milliseconds, for `parseDuration`: in days if possible, else in a smaller unit. */
export function formatDuration(milliseconds: number): string {
  const unit = ['d', 'h', 'm'].find((each) => milliseconds % (UNITS[each] as number) === 0) ?? 's';
  return `${milliseconds / (UNITS[unit] as number)}${unit}`;
}
