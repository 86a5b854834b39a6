import type { ProviderFailure, ProviderFailureReason } from '@gatehouse/domain/identity-providers';

/** Ends an exchange with a provider. The detail goes to the log, so it contains no code, token or secret. */
export class ExchangeError extends Error {
  readonly reason: ProviderFailureReason;

  constructor(reason: ProviderFailureReason, detail: string) {
    super(detail);
    this.reason = reason;
  }

  get failure(): ProviderFailure {
    return { code: 'provider_sign_in_refused', reason: this.reason, detail: this.message };
  }
}

/**
 * Returns a text of a provider for the log or a message, such as the code of an error. A text of another form could be
 * anything, so it is not repeated.
 */
export function quoted(text: unknown): string {
  return typeof text === 'string' && /^[\w.:/{}-]{1,200}$/.test(text)
    ? text
    : 'a text that is not repeated here';
}
