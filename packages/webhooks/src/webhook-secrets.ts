import { createHmac, randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES, type WebhookSecrets } from '@gatehouse/domain/webhooks';

/** Creates the port `WebhookSecrets`. Secrets and signatures have the form of Standard Webhooks 1.0. */
export function createWebhookSecrets(): WebhookSecrets {
  return {
    create: () => Uint8Array.from(randomBytes(WEBHOOK_SECRET_BYTES)),
    textOf: (secret) => `whsec_${Buffer.from(secret).toString('base64')}`,
    sign: (secret, content) => createHmac('sha256', secret).update(content).digest('base64'),
  };
}
