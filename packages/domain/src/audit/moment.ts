import { type Instant, shifted } from '../time/instant.ts';

/** A time, or an age in milliseconds. */
export type Moment = { readonly at: Instant } | { readonly ago: number };

/** Returns the time. An age counts back from `now`, at most to 1970. */
export function instantOf(moment: Moment | undefined, now: Instant): Instant | undefined {
  if (moment === undefined) return undefined;
  return 'at' in moment ? moment.at : shifted(now, -moment.ago);
}
