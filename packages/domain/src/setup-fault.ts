/**
 * Thrown by an adapter when the call cannot succeed until an operator changes how a dependency is set up, for example grants
 * a missing right. The message is one line for the operator: the problem and its remedy.
 */
export class SetupFault extends Error {
  override readonly name: string = 'SetupFault';
}
