/**
 * What an adapter throws when something it depends on cannot be reached or does not answer in time: the
 * same call may succeed later. Any other fault is a defect.
 */
export class UnavailableFault extends Error {
  override readonly name = 'UnavailableFault';
}
