/**
 * Thrown by an adapter when a dependency is set up in a way under which the call cannot succeed, such as a right that is
 * missing. The message is one line for the operator: what is wrong, and what mends it. The same call succeeds afterwards.
 */
export class SetupFault extends Error {
  override readonly name: string = 'SetupFault';
}
