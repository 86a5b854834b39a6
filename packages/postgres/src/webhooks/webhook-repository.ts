import { err, ok } from '@gatehouse/domain';
import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { WebhookId, WebhookRepository } from '@gatehouse/domain/webhooks';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { moment } from '../database/statements/conditions.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { holdsWitness } from '../signing-keys/holds-witness.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { lockForChange } from './lock-for-change.ts';
import { webhookAttempts } from './webhook-attempts.ts';
import { selectWebhooks, storedActions, toActions, toWebhook } from './webhook-records.ts';

const KEYS_CHANGED = err({ code: 'keys_changed' });

/** The number of the advisory lock under which webhooks of the installation are inserted. The number is arbitrary. */
const INSTALLATION_LOCK = 3_604_977_281;

/**
 * Creates the repository of webhooks in PostgreSQL. Every change locks the account of the actor first, then a signing key
 * if it stores a secret, and then the row of the webhook.
 */
export function createPostgresWebhookRepository(database: Database): WebhookRepository {
  const { queries } = database;
  return {
    ...webhookAttempts(database),

    async nextId() {
      const next = sql<{ id: WebhookId }>`
        select nextval(pg_get_serial_sequence('webhooks', 'id')) as id where ${onPrimary}`;
      const { rows } = await next.execute(queries);
      const [row] = rows;
      if (!row) throw new Error('the sequence of webhooks returned no number');
      return row.id;
    },

    insert: (webhook, { limit, witness }, event) =>
      commitDurably(queries, async (tx) => {
        const { accountId } = webhook;
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        if (accountId === null)
          await sql`select pg_advisory_xact_lock(${sql.lit(INSTALLATION_LOCK)})`.execute(tx);
        else if (!(await lockAccount(tx, accountId))) return err({ code: 'account_not_found' });
        const others = tx
          .selectFrom('webhooks')
          .select('id')
          .where('account_id', 'is not distinct from', accountId);
        if ((await others.limit(limit).execute()).length >= limit) return err({ code: 'too_many_webhooks' });
        if (!(await holdsWitness(tx, witness))) return KEYS_CHANGED;
        await tx
          .insertInto('webhooks')
          .values({
            id: webhook.id,
            account_id: accountId,
            url: webhook.url,
            description: webhook.description,
            actions: storedActions(webhook.actions),
            includes_addresses: webhook.includesAddresses,
            created_at: formatInstant(webhook.createdAt),
            sealed_secret: webhook.sealedSecret,
          })
          .execute();
        await insertAuditEvents(tx, [event]);
        const stored = selectWebhooks(tx).where('id', '=', webhook.id);
        return ok(toWebhook(await stored.executeTakeFirstOrThrow()));
      }),

    async find({ id, of }) {
      const found = selectWebhooks(queries).where('id', '=', id);
      const row = await (of === undefined ? found : found.where('account_id', '=', of)).executeTakeFirst();
      return row && toWebhook(row);
    },

    async findSealed(id) {
      const row = await selectWebhooks(queries)
        .select(['sealed_secret', 'former_sealed_secret'])
        .where('id', '=', id)
        .executeTakeFirst();
      return (
        row &&
        Object.freeze({
          webhook: toWebhook(row),
          sealedSecret: row.sealed_secret,
          formerSealedSecret: row.former_sealed_secret,
        })
      );
    },

    async list({ accountId, after, limit }) {
      // Uses the index webhooks_account_id; for all webhooks, webhooks_pkey.
      let page = selectWebhooks(queries).orderBy('id').limit(limit);
      if (accountId === null) page = page.where('account_id', 'is', null);
      else if (accountId !== undefined) page = page.where('account_id', '=', accountId);
      if (after !== undefined) page = page.where('id', '>', after);
      return Object.freeze((await page.execute()).map(toWebhook));
    },

    async listEnabled(accounts) {
      // Uses the index webhooks_account_id twice.
      const rows = await queries
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'actions'])
        .where('disabled_at', 'is', null)
        .where(sql<boolean>`(account_id is null or account_id = any(${accounts}::bigint[]))`)
        .orderBy('id')
        .execute();
      return rows.map(({ id, account_id: accountId, actions }) =>
        Object.freeze({ id, accountId, actions: toActions(actions) }),
      );
    },

    update: (which, changes, audit) =>
      commitDurably(queries, async (tx) => {
        const locked = await lockForChange(tx, which, (before) => audit(before, before));
        if (!locked.ok) return locked;
        const before = locked.value;
        const changed = { ...before, ...changes };
        const after = changed.url === before.url ? changed : { ...changed, failingSince: null };
        if (JSON.stringify(after) === JSON.stringify(before)) return ok({ webhook: before, already: true });
        await changeWebhook(tx, before.id)
          .set({
            url: after.url,
            description: after.description,
            actions: storedActions(after.actions),
            includes_addresses: after.includesAddresses,
            failing_since: formatInstantOrNull(after.failingSince),
          })
          .execute();
        await insertAuditEvents(tx, [audit(before, after)]);
        return ok({ webhook: Object.freeze(after), already: false });
      }),

    delete: (which, audit) =>
      commitDurably(queries, async (tx) => {
        const locked = await lockForChange(tx, which, audit);
        if (!locked.ok) return locked;
        await tx.deleteFrom('webhooks').where('id', '=', which.id).execute();
        await insertAuditEvents(tx, [audit(locked.value)]);
        return locked;
      }),

    setDisabled: ({ url, ...which }, disabled, audit) =>
      commitDurably(queries, async (tx) => {
        const locked = await lockForChange(tx, which, audit);
        if (!locked.ok) return locked;
        const before = locked.value;
        if (url !== undefined && before.url !== url) return err({ code: 'webhook_not_found' });
        if ((before.disabled === null) === (disabled === null)) return ok({ webhook: before, already: true });
        await changeWebhook(tx, before.id)
          .set({
            disabled_at: formatInstantOrNull(disabled?.at ?? null),
            disabled_reason: disabled?.reason ?? null,
            failing_since: null,
          })
          .execute();
        await insertAuditEvents(tx, [audit(before)]);
        return ok({ webhook: Object.freeze({ ...before, disabled, failingSince: null }), already: false });
      }),

    rotateSecret: (which, { sealedSecret, formerUntil, witness }, audit) =>
      commitDurably(queries, async (tx) => {
        const locked = await lockForChange(tx, which, audit, async () =>
          (await holdsWitness(tx, witness)) ? ok(undefined) : KEYS_CHANGED,
        );
        if (!locked.ok) return locked;
        const before = locked.value;
        await changeWebhook(tx, before.id)
          .set((row) => ({
            sealed_secret: sealedSecret,
            former_sealed_secret: formerUntil === null ? null : row.ref('sealed_secret'),
            former_secret_until: formatInstantOrNull(formerUntil),
          }))
          .execute();
        await insertAuditEvents(tx, [audit(before)]);
        return ok(Object.freeze({ ...before, formerSecretUntil: formerUntil }));
      }),

    async listTroubled({ failingSince, limit }) {
      const rows = await selectWebhooks(queries)
        .where(
          sql<boolean>`(disabled_reason = 'gone' or (disabled_at is null and failing_since <= ${moment(failingSince)}))`,
        )
        .orderBy('id')
        .limit(limit)
        .execute();
      return Object.freeze(rows.map(toWebhook));
    },

    async listSecrets({ after, limit }) {
      const page = queries
        .selectFrom('webhooks')
        .select(['id', 'sealed_secret', 'former_sealed_secret'])
        .orderBy('id')
        .limit(limit);
      const rows = await (after === undefined ? page : page.where('id', '>', after)).execute();
      return rows.map(({ id, sealed_secret: current, former_sealed_secret: former }) => ({
        id,
        sealedSecrets: former === null ? [current] : [current, former],
      }));
    },

    async reseal(resealings) {
      if (resealings.length === 0) return;
      await commitDurably(queries, async (tx) => {
        // Locked in the order of the ids, so that two runs at once do not wait for each other.
        const ids = [...new Set(resealings.map(({ id }) => id))];
        await tx
          .selectFrom('webhooks')
          .select('id')
          .where('id', 'in', ids)
          .orderBy('id')
          .forUpdate()
          .execute();
        for (const column of ['sealed_secret', 'former_sealed_secret'] as const)
          await sql`
            update webhooks set ${sql.ref(column)} = given."to"
            from jsonb_to_recordset(${JSON.stringify(resealings)}::jsonb) as given (id bigint, "from" text, "to" text)
            where webhooks.id = given.id and webhooks.${sql.ref(column)} = given."from"`.execute(tx);
      });
    },
  };
}

const changeWebhook = (tx: Queries, id: WebhookId) => tx.updateTable('webhooks').where('id', '=', id);
