import type { Ports } from '../ports.ts';
import type { MasterKeyReplacement } from '../signing-keys/key-encryption.ts';
import { type WebhookId, webhookKeyId } from './webhook.ts';
import type { WebhookResealing } from './webhook-repository.ts';

/** Webhooks per batch. A batch is one short transaction, so changes of webhooks do not wait for it. */
const BATCH = 500;

export interface ResealedWebhooks {
  readonly rewrapped: number;
  readonly unchanged: number;
  /** The number of secrets that neither master key decrypts. They were lost before, and stay as they are. */
  readonly unreadable: number;
}

/**
 * Encrypts the secrets of all webhooks with the next master key, in batches. The signing keys must be encrypted with it
 * before: from then on, no secret is stored under the current master key (`WebhookRepository.insert`), so none is missed.
 */
export async function resealWebhooks(
  { webhooks }: Ports<'webhooks'>,
  { current, next }: MasterKeyReplacement,
): Promise<ResealedWebhooks> {
  let [rewrapped, unchanged, unreadable] = [0, 0, 0];
  let after: WebhookId | undefined;
  for (;;) {
    const page = await webhooks.listSecrets({ limit: BATCH, ...(after !== undefined && { after }) });
    const resealings: WebhookResealing[] = [];
    for (const { id, from } of page.flatMap(({ id, sealedSecrets }) =>
      sealedSecrets.map((sealed) => ({ id, from: sealed })),
    )) {
      const keyId = webhookKeyId(id);
      if ((await next.open(from, keyId)).ok) {
        unchanged += 1;
        continue;
      }
      const secret = await current.open(from, keyId);
      if (secret.ok) resealings.push({ id, from, to: await next.seal(secret.value, keyId) });
      else unreadable += 1;
    }
    await webhooks.reseal(resealings);
    rewrapped += resealings.length;
    after = page.at(-1)?.id;
    if (page.length < BATCH) return { rewrapped, unchanged, unreadable };
  }
}
