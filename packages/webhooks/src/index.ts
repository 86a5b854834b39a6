export { createWebhookSecrets } from './webhook-secrets.ts';
export { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';
