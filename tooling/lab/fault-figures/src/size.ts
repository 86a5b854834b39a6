/** Whether fault tests run in full size (`npm run faults -- --full`) or in a short one. */
export const isFullSize = process.env.FAULTS_SIZE === 'full';

/** Returns the short or the full size of a fault test, such as a number of repetitions or a duration. */
export function sized<T>(sizes: { readonly short: T; readonly full: T }): T {
  return isFullSize ? sizes.full : sizes.short;
}
