/** Whether fault tests have their full size, as `npm run faults -- --full` asks for, and not a short one. */
export const isFullSize = process.env.FAULTS_SIZE === 'full';

/** What a fault test does so often, or for so long, in a short run and in a full one. */
export function sized<T>(sizes: { readonly short: T; readonly full: T }): T {
  return isFullSize ? sizes.full : sizes.short;
}
