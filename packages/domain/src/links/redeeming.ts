import type { Ports } from '../ports.ts';
import { err, type InvalidInput, type Result } from '../result.ts';
import { attemptOf, type TooManyAttempts } from '../sign-in/sign-in-throttle.ts';
import type { HashingBusy } from '../users/password-hasher.ts';
import { type LinkCodeHash, type LinkKind, type LinkNotAccepted, parseLinkCode } from './link-code.ts';

export type RedeemingPorts = Ports<'linkCodes' | 'signInGate' | 'throttle'>;

export interface CodeInput {
  /** The code as the person pasted it. */
  readonly code: string;
  /** The client's IP address. */
  readonly address: string;
}

/** The reasons why nothing is done for a code. */
export type CodeRefusal = LinkNotAccepted | TooManyAttempts | HashingBusy;

/**
 * The error for a name or a password that the person chose and that is refused. `found` is what the code is for, so the
 * form can be shown again without another attempt.
 */
export interface ChoiceRefused<Found> extends InvalidInput {
  readonly found: Found;
}

/** Returns the error for the problems, or undefined if there are none. */
export function choiceRefused<Found>(
  found: Found,
  problems: InvalidInput['problems'],
): ChoiceRefused<Found> | undefined {
  return problems.length === 0 ? undefined : { code: 'invalid_input', problems, found };
}

/**
 * Admits a code like an attempt to sign in: it waits in the same queue, and counts toward the limit of its address. It
 * counts as the attempt of a user of its own, so that codes do not delay the sign-ins of any user. A text that is not a
 * code is refused before anything is counted.
 */
export async function withCode<Outcome extends Result<unknown, unknown>>(
  { linkCodes, signInGate, throttle }: RedeemingPorts,
  kind: LinkKind,
  { code: text, address }: CodeInput,
  use: (hash: LinkCodeHash) => Promise<Outcome>,
): Promise<Outcome | Result<never, CodeRefusal>> {
  const code = parseLinkCode(kind, text);
  if (code === undefined) return err({ code: 'link_not_accepted' });
  const hash = linkCodes.hashOf(code);
  const attempt = attemptOf(`${hash}@link.invalid`, address);
  const entered = await signInGate.enter(attempt);
  if (!entered.ok) return entered;
  using _ = entered.value;
  const admitted = await throttle.admit(attempt);
  return admitted.ok ? use(hash) : admitted;
}
