import type { Result } from '../result.ts';

/** Why a message was not delivered, if there was no answer. */
export const SEND_PROBLEMS = [
  /** The address is one that Gatehouse never connects to, or its name leads to such a one. */
  'address_refused',
  'dns_failed',
  'connection_failed',
  'tls_failed',
  'timed_out',
  'answer_malformed',
] as const;

export type SendProblem = (typeof SEND_PROBLEMS)[number];

/** How the sending of a message ended. */
export type SendOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly problem: SendProblem };

/** Whether the receiver accepted the message: any status from 200 to 299. */
export const isDelivered = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;

/** An address of a receiver in its normal spelling. */
export interface CheckedAddress {
  readonly url: string;
  /** The name and port, which the audit log may have: the path of an address can be a secret. */
  readonly host: string;
}

/** A message as it is sent. */
export interface SignedMessage {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * Sends messages by HTTP POST, but never to an address of the inner network. Implementations pass
 * `webhookSenderContract`.
 */
export interface WebhookSender {
  /** Checks the spelling of an address, without looking up its name. The error is the end of "the address …". */
  checkAddress(text: string): Result<CheckedAddress, string>;

  /**
   * Sends one message within `SEND_LIMIT_MS`. Follows no redirect, and reads nothing of the answer but its status and
   * the header `Retry-After`.
   */
  send(message: SignedMessage): Promise<SendOutcome & { readonly retryAfter?: string | undefined }>;
}

/** The longest time from the look-up of the name to the status of the answer, in milliseconds. */
export const SEND_LIMIT_MS = 15_000;
