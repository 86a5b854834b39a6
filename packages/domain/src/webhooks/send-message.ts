import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { openSecrets } from './seal-webhook-secret.ts';
import type { SealedWebhook } from './webhook.ts';
import type { WebhookMessage } from './webhook-message.ts';

/** Signs a message with the secrets of a webhook, as Standard Webhooks 1.0 describes it, and sends it. */
export async function sendMessage(
  { webhookSender, webhookSecrets, encryption, clock }: SendPorts,
  { webhook, sealedSecret, formerSealedSecret }: SealedWebhook,
  { id, body }: WebhookMessage,
) {
  const now = clock.now();
  const { formerSecretUntil: until } = webhook;
  const signsFormer = formerSealedSecret !== null && until !== null && until > now;
  const sealed = signsFormer ? [sealedSecret, formerSealedSecret] : [sealedSecret];
  const secrets = await openSecrets({ encryption }, webhook.id, sealed);
  if (!secrets.ok) return secrets;
  const timestamp = Math.floor(now / 1000);
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.value.map((secret) => `v1,${webhookSecrets.sign(secret, content)}`);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signatures.join(' '),
  };
  return ok(await webhookSender.send({ url: webhook.url, headers, body }));
}

export type SendPorts = Ports<'webhookSender' | 'webhookSecrets' | 'encryption' | 'clock'>;
