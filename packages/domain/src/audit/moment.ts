import type { Instant } from '../time/instant.ts';

/** A time, or an age in milliseconds. */
export type Moment = { readonly at: Instant } | { readonly ago: number };

export function instantOf(moment: Moment | undefined, now: Instant): Instant | undefined {
  if (moment === undefined) return undefined;
  // The age can reach back beyond the first instant.
  return 'at' in moment ? moment.at : (Math.max(0, now - moment.ago) as Instant);
}
