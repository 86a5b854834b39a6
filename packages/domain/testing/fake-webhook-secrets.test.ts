import { webhookSecretsContract } from './contracts/index.ts';
import { createFakeWebhookSecrets } from './fake-webhook-secrets.ts';

webhookSecretsContract('The fake', createFakeWebhookSecrets);
