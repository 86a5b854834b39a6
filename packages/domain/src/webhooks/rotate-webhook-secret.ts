import { authorized, MANAGE_WEBHOOKS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { invalid, ok } from '../result.ts';
import { addMilliseconds, formatInstantOrNull } from '../time/instant.ts';
import type { WithSecret } from './manage-webhooks.ts';
import { storeSealed } from './seal-webhook-secret.ts';
import { MAX_SECRET_GRACE_MS, type WebhookId } from './webhook.ts';
import { webhookEvent } from './webhook-events.ts';
import { findManaged, hostOf, whichOf } from './which-webhook.ts';

type RotatePorts = Ports<
  'webhooks' | 'webhookSecrets' | 'webhookSender' | 'signingKeys' | 'encryption' | 'clock'
>;

interface Rotation {
  readonly id: WebhookId;
  /** How long the secret so far signs, too, in milliseconds: 0 to `MAX_SECRET_GRACE_MS`. */
  readonly graceMs: number;
}

/** Makes a new secret. Until the receiver has it, messages have two signatures. */
export const rotateWebhookSecret = authorized(
  MANAGE_WEBHOOKS,
  (ports: RotatePorts) =>
    async (caller, { id, graceMs }: Rotation) => {
      const { webhooks, webhookSecrets, clock } = ports;
      if (!(graceMs >= 0 && graceMs <= MAX_SECRET_GRACE_MS)) return invalid('grace', 'must be 0 to 24 hours');
      const found = await findManaged(ports, caller, id);
      if (!found.ok) return found;
      const at = clock.now();
      const formerUntil = graceMs === 0 ? null : addMilliseconds(at, graceMs);
      const secret = webhookSecrets.create();
      const stored = await storeSealed(ports, { id, secret }, (sealed) =>
        webhooks.rotateSecret(whichOf(caller, id), { ...sealed, formerUntil }, (before) => {
          const details = { host: hostOf(ports, before), former_until: formatInstantOrNull(formerUntil) };
          return eventBy(caller, webhookEvent(at, 'secret_rotated', before, details));
        }),
      );
      return stored.ok
        ? ok<WithSecret>({ webhook: stored.value, secret: webhookSecrets.textOf(secret) })
        : stored;
    },
);
