import { err, ok } from '../../src/index.ts';
import type { SealedSecret, Witness } from '../../src/signing-keys/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import {
  type Attempt,
  KEPT_ATTEMPTS,
  MAX_TESTS,
  msUntilTest,
  type RecentTests,
  recentTests,
  TEST_LASTS_MS,
  type Webhook,
  type WebhookId,
  type WebhookRepository,
  type WhichWebhook,
} from '../../src/webhooks/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly sealedSecret: SealedSecret;
  readonly formerSealedSecret: SealedSecret | null;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
  readonly tests: RecentTests;
}

const NOT_FOUND = err({ code: 'webhook_not_found' });
const NOT_ALLOWED = err({ code: 'not_allowed' });
const KEYS_CHANGED = err({ code: 'keys_changed' });

export function createInMemoryWebhooks(state: State): WebhookRepository {
  const all = () => [...state.webhooks.values()].map(({ webhook }) => webhook);
  const find = ({ id, of }: WhichWebhook) => {
    const found = state.webhooks.get(id);
    const isMeant = of === undefined || found?.webhook.accountId === of;
    return isMeant ? found : undefined;
  };
  const holds = ({ id, sealedSecret }: Witness) => {
    const key = state.keys.get(id);
    return key?.sealedSecret === sealedSecret && key.state !== 'retired';
  };
  const store = (stored: StoredWebhook, changes: Partial<StoredWebhook>) =>
    void state.webhooks.set(stored.webhook.id, { ...stored, ...changes });

  return {
    nextId: async () => state.nextId() as WebhookId,
    async insert({ sealedSecret, ...parts }, { limit, witness }, event) {
      const { id, accountId } = parts;
      if (accountId !== null && !state.accounts.has(accountId)) return err({ code: 'account_not_found' });
      if (!state.actorMayAct(event)) return NOT_ALLOWED;
      const others = all().filter((each) => each.accountId === accountId);
      if (others.length >= limit) return err({ code: 'too_many_webhooks' });
      if (!holds(witness)) return KEYS_CHANGED;
      const webhook = { ...parts, disabled: null, failingSince: null, formerSecretUntil: null };
      const tests = { times: [], runningUntil: null };
      state.webhooks.set(id, { webhook, sealedSecret, formerSealedSecret: null, attempts: [], tests });
      state.events.push(event);
      return ok(webhook);
    },
    find: async (which) => find(which)?.webhook,
    async findSealed(id) {
      const found = state.webhooks.get(id);
      if (!found) return undefined;
      const { webhook, sealedSecret, formerSealedSecret } = found;
      return { webhook, sealedSecret, formerSealedSecret };
    },
    async list({ accountId, after, limit }) {
      const listed = all().filter((each) => accountId === undefined || each.accountId === accountId);
      return pageOf(listed, after, limit);
    },
    async listEnabled(accounts) {
      return all()
        .filter((each) => each.disabled === null)
        .filter(({ accountId }) => accountId === null || accounts.includes(accountId))
        .map(({ id, accountId, actions }) => ({ id, accountId, actions }));
    },
    async update(which, changes, audit) {
      const found = find(which);
      if (!found) return NOT_FOUND;
      const before = found.webhook;
      const changed = { ...before, ...changes };
      const after = changed.url === before.url ? changed : { ...changed, failingSince: null };
      const event = audit(before, after);
      if (!state.actorMayAct(event)) return NOT_ALLOWED;
      if (JSON.stringify(after) === JSON.stringify(before)) return ok({ webhook: before, already: true });
      store(found, { webhook: after });
      state.events.push(event);
      return ok({ webhook: after, already: false });
    },
    async delete(which, audit) {
      const found = find(which);
      if (!found) return NOT_FOUND;
      const event = audit(found.webhook);
      if (!state.actorMayAct(event)) return NOT_ALLOWED;
      state.webhooks.delete(which.id);
      state.events.push(event);
      return ok(found.webhook);
    },
    async setDisabled({ url, ...which }, disabled, audit) {
      const found = find(which);
      if (!found || (url !== undefined && found.webhook.url !== url)) return NOT_FOUND;
      const before = found.webhook;
      const event = audit(before);
      if (!state.actorMayAct(event)) return NOT_ALLOWED;
      if ((before.disabled === null) === (disabled === null)) return ok({ webhook: before, already: true });
      const webhook = { ...before, disabled, failingSince: null };
      store(found, { webhook });
      state.events.push(event);
      return ok({ webhook, already: false });
    },
    async rotateSecret(which, { sealedSecret, formerUntil, witness }, audit) {
      const found = find(which);
      if (!found) return NOT_FOUND;
      const event = audit(found.webhook);
      if (!state.actorMayAct(event)) return NOT_ALLOWED;
      if (!holds(witness)) return KEYS_CHANGED;
      const webhook = { ...found.webhook, formerSecretUntil: formerUntil };
      const formerSealedSecret = formerUntil === null ? null : found.sealedSecret;
      store(found, { webhook, sealedSecret, formerSealedSecret });
      state.events.push(event);
      return ok(webhook);
    },
    async recordAttempt(id, attempt, isDelivered) {
      const found = state.webhooks.get(id);
      if (!found) return;
      const attempts = [attempt, ...found.attempts].slice(0, KEPT_ATTEMPTS);
      const isTest = attempt.position === null;
      const { failingSince } = found.webhook;
      store(found, {
        attempts,
        ...(isTest && { tests: { ...found.tests, runningUntil: null } }),
        ...(!isTest && {
          webhook: { ...found.webhook, failingSince: isDelivered ? null : (failingSince ?? attempt.at) },
        }),
      });
    },
    listAttempts: async (id) => state.webhooks.get(id)?.attempts ?? [],
    async beginTest(which, at) {
      const found = find(which);
      if (!found) return NOT_FOUND;
      const waitMs = msUntilTest(found.tests, at);
      if (waitMs > 0)
        return err({ code: 'webhook_test_too_soon', retryAfterSeconds: Math.ceil(waitMs / 1000) });
      const times = [...recentTests(found.tests.times, at), at].slice(-MAX_TESTS);
      store(found, { tests: { times, runningUntil: addMilliseconds(at, TEST_LASTS_MS) } });
      return ok(undefined);
    },
    async listTroubled({ failingSince: since, limit }) {
      const isTroubled = ({ disabled, failingSince }: Webhook) =>
        disabled === null ? failingSince !== null && failingSince <= since : disabled.reason === 'gone';
      return pageOf(all().filter(isTroubled), undefined, limit);
    },
    async listSecrets({ after, limit }) {
      const secrets = [...state.webhooks.values()].map((each) => ({
        id: each.webhook.id,
        sealedSecrets: [each.sealedSecret, each.formerSealedSecret].filter((sealed) => sealed !== null),
      }));
      return pageOf(secrets, after, limit);
    },
    async reseal(resealings) {
      for (const { id, from, to } of resealings) {
        const found = state.webhooks.get(id);
        if (found?.sealedSecret === from) store(found, { sealedSecret: to });
        else if (found?.formerSealedSecret === from) store(found, { formerSealedSecret: to });
      }
    },
  };
}
