import { err, ok } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type { KeyId, KeyState, SigningKey, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { NO_LIVE_TOKENS, retirableAt } from '@gatehouse/domain/signing-keys';
import { formatInstant } from '@gatehouse/domain/time';
import { createCoalescedReads } from '@gatehouse/queues';
import { sql, type Updateable } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { rowOf } from '../database/domain-names.ts';
import { onBehalfOfNone } from '../database/pool/askers.ts';
import type { Queries, SigningKeyTable } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { endTokensWhere } from '../tokens/end-tokens.ts';
import { selectKeys, signingKeyColumns, toSigningKey } from './key-records.ts';
import { countLiveTokens, findLastUse, isLiveTokenUnder } from './key-tokens.ts';
import { holds, lockRing, secretsInUse } from './ring-lock.ts';

/** Creates the repository of signing keys in PostgreSQL. */
export function createPostgresSigningKeyRepository({ queries, inTime }: Database): SigningKeyRepository {
  const lists = createCoalescedReads<'all', readonly SigningKey[]>();

  return {
    insert: (key, event, witness) =>
      queries.transaction().execute(async (tx) => {
        await lockRing(tx);
        if (witness && !(await holds(tx, witness))) return CHANGED;
        await tx.insertInto('signing_keys').values(rowOf(key)).execute();
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      }),

    insertFirst: (key, event, witness) =>
      queries.transaction().execute(async (tx) => {
        await lockRing(tx);
        const other = await tx
          .selectFrom('signing_keys')
          .select('id')
          .where('format', '=', key.format)
          .executeTakeFirst();
        if (other) return ok(false);
        const unchanged = witness ? await holds(tx, witness) : (await secretsInUse(tx)).size === 0;
        if (!unchanged) return CHANGED;
        await tx.insertInto('signing_keys').values(rowOf(key)).execute();
        await insertAuditEvents(tx, [event]);
        return ok(true);
      }),

    findById: (id) => findKey(queries, id),

    async findActive(format) {
      // Uses the index signing_keys_active. The state is a literal, so that every plan can use this index.
      const key = selectKeys(queries).where('format', '=', format).where('state', '=', sql.lit('active'));
      const row = await key.executeTakeFirst();
      return row && toSigningKey(row);
    },

    // Any client can cause this read. Callers share one read, so that all of them together use at most one connection.
    // The time limit applies to each caller. Callers that come while a late statement still runs wait for that
    // statement, too.
    list: () =>
      inTime(
        lists('all', () =>
          onBehalfOfNone(async () => {
            const keys = selectKeys(queries).orderBy('created_at').orderBy('id');
            return (await keys.execute()).map(toSigningKey);
          }),
        ),
      ),

    countLiveTokens: (at) => countLiveTokens(queries, at),

    findLastUse: (id, at) => findLastUse(queries, id, at),

    activate: (id, at, event) =>
      queries.transaction().execute(async (tx) => {
        await lockRing(tx);
        const found = await findKeyIn(tx, id, 'staged');
        if (!found.ok) return found;
        await tx
          .updateTable('signing_keys')
          .set({ state: 'verify-only' })
          .where('format', '=', found.value.format)
          .where('state', '=', sql.lit('active'))
          .execute();
        return ok(await changeKey(tx, id, { state: 'active', activated_at: formatInstant(at) }, event));
      }),

    retire: (id, at, revocation, event) =>
      commitDurably(queries, async (tx) => {
        await lockRing(tx);
        const found = await findKeyIn(tx, id, 'verify-only');
        if (!found.ok) return found;
        // This lock waits for tokens that are being created under the key, because their transactions hold the key's
        // row FOR SHARE. It also prevents the creation of further tokens.
        await tx.selectFrom('signing_keys').select('id').where('id', '=', id).forUpdate().execute();
        const live = (await countLiveTokens(tx, at, id)).get(id) ?? NO_LIVE_TOKENS;
        if (live.count > 0 && !revocation) {
          const when = retirableAt(found.value, live, at);
          return err({ code: 'key_in_use', liveTokens: live.count, retirableAt: when });
        }
        const revokedTokens = revocation
          ? await endTokensWhere(tx, isLiveTokenUnder(id, revocation.at), revocation, event)
          : 0;
        const key = await changeKey(tx, id, { state: 'retired', retired_at: formatInstant(at) }, event);
        return ok({ key, revokedTokens });
      }),

    reseal: (resealings, events) =>
      commitDurably(queries, async (tx) => {
        await lockRing(tx);
        const stored = new Map([...(await secretsInUse(tx)), ...(await sealSecret(tx))]);
        const unchanged =
          stored.size === resealings.length && resealings.every(({ id, from }) => stored.get(id) === from);
        if (!unchanged) return CHANGED;
        for (const { id, from, to } of resealings) {
          if (to === from) continue;
          await tx.updateTable('signing_keys').set({ sealed_secret: to }).where('id', '=', id).execute();
          await tx.updateTable('audit_seal_keys').set({ sealed_secret: to }).where('id', '=', id).execute();
        }
        await insertAuditEvents(tx, events);
        return ok(undefined);
      }),
  };
}

const CHANGED = err({ code: 'keys_changed' });

async function findKey(db: Queries, id: KeyId) {
  // Uses the index signing_keys_pkey.
  const row = await selectKeys(db).where('id', '=', id).executeTakeFirst();
  return row && toSigningKey(row);
}

async function findKeyIn(tx: Queries, id: KeyId, needed: KeyState) {
  const key = await findKey(tx, id);
  if (!key) return err({ code: 'key_not_found' });
  return key.state === needed ? ok(key) : err({ code: 'key_state_conflict', state: key.state, needed });
}

/** Returns the secret of the key of the audit seals, which is encrypted under the same master key as signing keys. */
async function sealSecret(tx: Queries) {
  const rows = await tx.selectFrom('audit_seal_keys').select(['id', 'sealed_secret']).execute();
  return rows.map((row) => [row.id, row.sealed_secret] as const);
}

async function changeKey(tx: Queries, id: KeyId, change: Updateable<SigningKeyTable>, event: AuditEvent) {
  const row = await tx
    .updateTable('signing_keys')
    .set(change)
    .where('id', '=', id)
    .returning(signingKeyColumns)
    .executeTakeFirstOrThrow();
  await insertAuditEvents(tx, [event]);
  return toSigningKey(row);
}
