import type { Repositories } from '../src/index.ts';
import type { SealedSecret } from '../src/signing-keys/index.ts';
import type { NewWebhook, Webhook, WebhookId } from '../src/webhooks/index.ts';
import { anEvent, aSigningKey, START, unwrap } from './fixtures.ts';

/** Creates a webhook of the installation without storing it. */
export function aWebhook(parts: Partial<NewWebhook> = {}): NewWebhook {
  return {
    id: 1 as WebhookId,
    accountId: null,
    url: 'https://hooks.example/gatehouse',
    description: 'Chat',
    actions: 'all',
    includesAddresses: false,
    createdAt: START,
    sealedSecret: 'sealed' as SealedSecret,
    ...parts,
  };
}

/** Stores a signing key, under whose master key secrets of webhooks can be stored. */
export async function givenWitness(store: Repositories) {
  const key = aSigningKey({ state: 'staged' });
  await store.signingKeys.insert(key, anEvent());
  return key;
}

/** Stores a webhook with a new id. */
export async function givenWebhook(store: Repositories, parts: Partial<NewWebhook> = {}): Promise<Webhook> {
  const webhook = aWebhook({ id: await store.webhooks.nextId(), ...parts });
  const guard = { limit: 1000, witness: await givenWitness(store) };
  return unwrap(
    await store.webhooks.insert(
      webhook,
      guard,
      anEvent({ action: 'webhook.created', accountId: webhook.accountId }),
    ),
  );
}
