import { err, ok } from '@gatehouse/domain';
import { addMilliseconds, formatInstant } from '@gatehouse/domain/time';
import {
  KEPT_ATTEMPTS,
  MAX_TESTS,
  msUntilTest,
  recentTests,
  TEST_LASTS_MS,
  type WebhookRepository,
} from '@gatehouse/domain/webhooks';
import type { Database } from '../database/database.ts';
import { toAttempt } from './webhook-records.ts';

type Attempts = Pick<WebhookRepository, 'recordAttempt' | 'listAttempts' | 'beginTest'>;

/** Stores the attempts and tests of a webhook. A crash may forget the last attempts. */
export function webhookAttempts({ queries }: Database): Attempts {
  return {
    recordAttempt: (id, { at, position, action, outcome }, isDelivered) =>
      queries.transaction().execute(async (tx) => {
        const webhook = await tx
          .selectFrom('webhooks')
          .select('failing_since')
          .where('id', '=', id)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (!webhook) return;
        const answer =
          outcome.kind === 'answered' ? { status: outcome.status } : { problem: outcome.problem };
        const row = { webhook_id: id, at: formatInstant(at), position, action, ...answer };
        await tx.insertInto('webhook_attempts').values(row).execute();
        // Uses the index webhook_attempts_webhook_id.
        const tooOld = tx
          .selectFrom('webhook_attempts')
          .select('id')
          .where('webhook_id', '=', id)
          .orderBy('id', 'desc')
          .offset(KEPT_ATTEMPTS)
          .limit(1);
        await tx
          .deleteFrom('webhook_attempts')
          .where('webhook_id', '=', id)
          .where('id', '<=', tooOld)
          .execute();
        const change = tx.updateTable('webhooks').where('id', '=', id);
        if (position === null) await change.set({ test_running_until: null }).execute();
        else if (isDelivered !== (webhook.failing_since === null))
          await change.set({ failing_since: isDelivered ? null : formatInstant(at) }).execute();
      }),

    async listAttempts(id) {
      const rows = await queries
        .selectFrom('webhook_attempts')
        .select(['at', 'position', 'action', 'status', 'problem'])
        .where('webhook_id', '=', id)
        .orderBy('id', 'desc')
        .limit(KEPT_ATTEMPTS)
        .execute();
      return Object.freeze(rows.map(toAttempt));
    },

    beginTest: ({ id, of }, at) =>
      queries.transaction().execute(async (tx) => {
        const found = tx
          .selectFrom('webhooks')
          .select(['tests as times', 'test_running_until as runningUntil'])
          .where('id', '=', id)
          .forNoKeyUpdate();
        const tests = await (of === undefined
          ? found
          : found.where('account_id', '=', of)
        ).executeTakeFirst();
        if (!tests) return err({ code: 'webhook_not_found' });
        const waitMs = msUntilTest(tests, at);
        if (waitMs > 0)
          return err({ code: 'webhook_test_too_soon', retryAfterSeconds: Math.ceil(waitMs / 1000) });
        const times = [...recentTests(tests.times, at), at].slice(-MAX_TESTS);
        await tx
          .updateTable('webhooks')
          .set({
            tests: JSON.stringify(times),
            test_running_until: formatInstant(addMilliseconds(at, TEST_LASTS_MS)),
          })
          .where('id', '=', id)
          .execute();
        return ok(undefined);
      }),
  };
}
