/**
 * Thrown by an adapter when a text of the input has characters that the store can neither keep nor compare. The caller's
 * input is at fault; nothing was changed.
 */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
}
