/**
 * Thrown by an adapter when a dependency cannot be reached or does not respond in time; the same call may succeed
 * later. Any other fault is a defect.
 */
export class UnavailableFault extends Error {
  override readonly name = 'UnavailableFault';
}
