/**
 * Thrown by an adapter when the call cannot succeed until an operator changes how a dependency is set up, for example
 * grants a missing right. The message is one line for the operator: the problem and its remedy.
 */
export class SetupFault extends Error {
  override readonly name: string = 'SetupFault';
}

/**
 * Thrown by an adapter when a dependency, such as the database, cannot be reached or does not respond in time. The same
 * call may succeed later.
 */
export class UnavailableFault extends Error {
  override readonly name = 'UnavailableFault';
}

/**
 * Thrown by an adapter when a text in the caller's input has characters that the database cannot store or compare.
 * Nothing was changed.
 */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
}
