import { NEW_WEBHOOK, WEBHOOKS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { deleteWebhookPage } from './delete-webhook.ts';
import { editWebhookPage } from './edit-webhook.ts';
import { newWebhookPage } from './new-webhook.ts';
import { webhookPage } from './webhook.ts';
import { webhookListPage } from './webhook-list.ts';
import { webhookSecretPage } from './webhook-secret.ts';

/** The pages of the area `Webhooks`, by their paths. */
export const webhooksPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [WEBHOOKS]: signedIn(webhookListPage(ports)),
  [NEW_WEBHOOK]: signedIn(newWebhookPage(ports)),
  [`${WEBHOOKS}/:id`]: signedIn(webhookPage(ports)),
  [`${WEBHOOKS}/:id/edit`]: signedIn(editWebhookPage(ports)),
  [`${WEBHOOKS}/:id/secret`]: signedIn(webhookSecretPage(ports)),
  [`${WEBHOOKS}/:id/delete`]: signedIn(deleteWebhookPage(ports)),
});
