/** The exit status of a refused command. */
type RefusalExit = 'notFound' | 'notAllowed' | 'conflict';

/** An expected error of an extension's use cases, for HTTP and the command line. */
export interface Refusal<Code extends string = string> {
  /** The code of the error. */
  readonly code: Code;
  /** The HTTP status. */
  readonly status: 403 | 404 | 409 | 422;
  /** A sentence, the same for each occurrence: the title of the problem and the message of the command. */
  readonly title: string;
  /** The exit status of a command. */
  readonly exit: RefusalExit;
}

/**
 * Describes the expected errors of an extension by their codes. Neither Gatehouse nor another extension may have the
 * same code.
 */
export function defineRefusals<const Described extends Readonly<Record<string, Omit<Refusal, 'code'>>>>(
  described: Described,
): { readonly [Code in keyof Described & string]: Refusal<Code> } {
  const refusals = Object.entries(described).map(([code, rest]) => [code, { code, ...rest }]);
  // `Object.fromEntries` forgets the keys' types, which are the codes.
  return Object.fromEntries(refusals);
}
