import {
  authorized,
  MANAGE_WEBHOOKS,
  type NotAllowed,
  type Operator,
  type Principal,
} from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { type AccountNotFound, checkAccount } from '../accounts/account-repository.ts';
import { eventBy } from '../audit/event-by.ts';
import { refuseWhileOlder } from '../editions/refuse-while-older.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { storeSealed } from './seal-webhook-secret.ts';
import { MAX_WEBHOOKS, type Webhook, type WebhookId } from './webhook.ts';
import { wantedDetail, webhookEvent } from './webhook-events.ts';
import {
  parseNewWebhook,
  parseWebhookChanges,
  type WebhookInput,
  type WebhookUpdate,
} from './webhook-input.ts';
import { findManaged, hostOf, whichOf } from './which-webhook.ts';

/** Whose webhooks are meant. An admin has those of the own account only. For the operator, null is the installation. */
interface OfAccount {
  readonly accountId?: AccountId | null | undefined;
}

/** A webhook with a new secret, which is shown once. */
export interface WithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

type CreatePorts = Ports<
  | 'webhooks'
  | 'webhookSecrets'
  | 'webhookSender'
  | 'signingKeys'
  | 'encryption'
  | 'editions'
  | 'catalog'
  | 'clock'
>;

/**
 * Creates a webhook for the caller's account, or for the operator of the given account or of the whole installation. A
 * server of an older version would not send its messages, and an older command would not re-encrypt its secret, so it
 * waits for their end.
 */
export const createWebhook = authorized(
  MANAGE_WEBHOOKS,
  (ports: CreatePorts) =>
    async (caller, { accountId: of, ...input }: WebhookInput & OfAccount) => {
      const { webhooks, webhookSecrets, clock } = ports;
      const account = accountFor(caller, of);
      if (!account.ok) return account;
      const accountId = account.value;
      const parsed = parseNewWebhook(ports, input);
      if (!parsed.ok) return parsed;
      const known = await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const id = await webhooks.nextId();
      const createdAt = clock.now();
      const webhook = { ...parsed.value, id, accountId, createdAt };
      const details = {
        host: hostOf(ports, webhook),
        actions: wantedDetail(webhook.actions),
        includes_addresses: webhook.includesAddresses,
      };
      const event = eventBy(caller, webhookEvent(createdAt, 'created', webhook, details));
      const secret = webhookSecrets.create();
      const stored = await storeSealed(ports, { id, secret }, ({ sealedSecret, witness }) =>
        webhooks.insert({ ...webhook, sealedSecret }, { limit: MAX_WEBHOOKS, witness }, event),
      );
      return stored.ok
        ? ok<WithSecret>({ webhook: stored.value, secret: webhookSecrets.textOf(secret) })
        : stored;
    },
);

/** An admin makes one for the own account only. The operator has to say for which account, or that it is for all. */
function accountFor(
  caller: Principal | Operator,
  of: AccountId | null | undefined,
): Result<AccountId | null, NotAllowed | AccountNotFound> {
  if (caller.kind === 'operator') return of === undefined ? err({ code: 'account_not_found' }) : ok(of);
  return of === undefined || of === caller.accountId ? ok(caller.accountId) : err({ code: 'not_allowed' });
}

/**
 * Lists the webhooks of the caller's account, or for the operator those of one account, of the installation (null), or
 * all of them.
 */
export const listWebhooks = authorized(
  MANAGE_WEBHOOKS,
  ({ webhooks, accounts }: Ports<'webhooks' | 'accounts'>) =>
    async (caller, of: OfAccount) => {
      const accountId = caller.kind === 'operator' ? of.accountId : caller.accountId;
      const known = await checkAccount(accounts, accountId ?? undefined);
      if (!known.ok) return known;
      return ok(pagesById<Webhook>((page) => webhooks.list({ accountId, ...page })));
    },
);

/** Shows a webhook with its last attempts, newest first. */
export const showWebhook = authorized(
  MANAGE_WEBHOOKS,
  ({ webhooks }: Ports<'webhooks'>) =>
    async (caller, id: WebhookId) => {
      const found = await findManaged({ webhooks }, caller, id);
      if (!found.ok) return found;
      return ok({ webhook: found.value, attempts: await webhooks.listAttempts(id) });
    },
);

/** Changes what is given of a webhook. Messages that wait are sent to its new address. */
export const updateWebhook = authorized(
  MANAGE_WEBHOOKS,
  (ports: Ports<'webhooks' | 'webhookSender' | 'catalog' | 'clock'>) =>
    async (caller, id: WebhookId, input: WebhookUpdate) => {
      const parsed = parseWebhookChanges(ports, input);
      if (!parsed.ok) return parsed;
      return ports.webhooks.update(whichOf(caller, id), parsed.value, (before, after) => {
        const [formerHost, host] = [hostOf(ports, before), hostOf(ports, after)];
        const details = {
          host,
          ...(host !== formerHost && { former_host: formerHost }),
          ...(after.url !== before.url && { address_changed: true }),
          ...(input.actions !== undefined && { actions: wantedDetail(after.actions) }),
          ...(input.includesAddresses !== undefined && { includes_addresses: after.includesAddresses }),
        };
        return eventBy(caller, webhookEvent(ports.clock.now(), 'updated', after, details));
      });
    },
);

/** Deletes a webhook. Messages that wait for it are dropped. */
export const deleteWebhook = authorized(
  MANAGE_WEBHOOKS,
  (ports: Ports<'webhooks' | 'webhookSender' | 'clock'>) => async (caller, id: WebhookId) =>
    ports.webhooks.delete(whichOf(caller, id), (before) =>
      eventBy(caller, webhookEvent(ports.clock.now(), 'deleted', before, { host: hostOf(ports, before) })),
    ),
);
