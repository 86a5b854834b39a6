/** The number of random bytes of a secret. Standard Webhooks demands 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32;

/**
 * Creates the secrets of webhooks, and signs with them. Keys of tokens never sign messages, and these secrets never sign
 * tokens. Implementations pass `webhookSecretsContract`.
 */
export interface WebhookSecrets {
  /** Creates `WEBHOOK_SECRET_BYTES` random bytes. */
  create(): Uint8Array;

  /** Writes a secret as receivers configure it: `whsec_` and its base64. */
  textOf(secret: Uint8Array): string;

  /** Returns the HMAC-SHA-256 of the content in base64. */
  sign(secret: Uint8Array, content: string): string;
}
