import {
  type AuditEvent,
  err,
  formatInstant,
  type KeyId,
  ok,
  type SigningKey,
  type SigningKeyRepository,
} from '@gatehouse/domain';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { insertAuditEvents } from './audit-events.ts';
import { commitDurably } from './commit-durably.ts';
import type { Database } from './database.ts';
import { inTime } from './in-time.ts';
import type { Schema, SigningKeyTable } from './schema.ts';
import { timestampOrNull } from './timestamp.ts';

const columns = [
  'id',
  'format',
  'state',
  'public_key',
  'sealed_secret',
  'created_at',
  'activated_at',
  'retired_at',
] as const;

/** The key ring in PostgreSQL. */
export function createPostgresSigningKeyRepository({ queries }: Database): SigningKeyRepository {
  return {
    insert: (key, event) =>
      queries.transaction().execute(async (tx) => {
        await insertKey(tx, key);
        await insertAuditEvents(tx, [event]);
      }),

    insertFirst: (key, event) =>
      queries.transaction().execute(async (tx) => {
        await lockRing(tx);
        const other = await tx
          .selectFrom('signing_keys')
          .select('id')
          .where('format', '=', key.format)
          .executeTakeFirst();
        if (other) return false;
        await insertKey(tx, key);
        await insertAuditEvents(tx, [event]);
        return true;
      }),

    findById: (id) => findKey(queries, id),

    async findActive(format) {
      // signing_keys_active: the state is written out, so that every plan can use it.
      const row = await queries
        .selectFrom('signing_keys')
        .select(columns)
        .where('format', '=', format)
        .where('state', '=', sql.lit('active'))
        .executeTakeFirst();
      return row && toSigningKey(row);
    },

    async list() {
      const keys = queries.selectFrom('signing_keys').select(columns).orderBy('created_at').orderBy('id');
      const rows = await inTime(keys.execute());
      return rows.map(toSigningKey);
    },

    activate: (id, at, event) =>
      queries.transaction().execute(async (tx) => {
        await lockRing(tx);
        const key = await findKey(tx, id);
        if (!key) return err({ code: 'key_not_found' });
        if (key.state !== 'staged') return err({ code: 'key_state_conflict', state: key.state });
        await tx
          .updateTable('signing_keys')
          .set({ state: 'verify-only' })
          .where('format', '=', key.format)
          .where('state', '=', sql.lit('active'))
          .execute();
        return ok(await changeKey(tx, id, { state: 'active', activated_at: formatInstant(at) }, event));
      }),

    retire: (id, at, event) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        await lockRing(tx);
        const key = await findKey(tx, id);
        if (!key) return err({ code: 'key_not_found' });
        if (key.state !== 'verify-only') return err({ code: 'key_state_conflict', state: key.state });
        return ok(await changeKey(tx, id, { state: 'retired', retired_at: formatInstant(at) }, event));
      }),
  };
}

/** One change of the ring at a time. Readers go on, and so do tokens being made: they lock their key's row. */
async function lockRing(tx: Kysely<Schema>): Promise<void> {
  await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
}

async function findKey(db: Kysely<Schema>, id: KeyId): Promise<SigningKey | undefined> {
  // signing_keys_pkey
  const row = await db.selectFrom('signing_keys').select(columns).where('id', '=', id).executeTakeFirst();
  return row && toSigningKey(row);
}

async function insertKey(tx: Kysely<Schema>, key: SigningKey): Promise<void> {
  await tx
    .insertInto('signing_keys')
    .values({
      id: key.id,
      format: key.format,
      state: key.state,
      public_key: key.publicKey,
      sealed_secret: key.sealedSecret,
      created_at: formatInstant(key.createdAt),
      activated_at: timestampOrNull(key.activatedAt),
      retired_at: timestampOrNull(key.retiredAt),
    })
    .execute();
}

/** Waits for tokens that are just being made under the key: they hold the row FOR SHARE. */
async function changeKey(
  tx: Kysely<Schema>,
  id: KeyId,
  change: Updateable<SigningKeyTable>,
  event: AuditEvent,
): Promise<SigningKey> {
  const row = await tx
    .updateTable('signing_keys')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  await insertAuditEvents(tx, [event]);
  return toSigningKey(row);
}

function toSigningKey(row: Selectable<SigningKeyTable>): SigningKey {
  return Object.freeze({
    id: row.id,
    format: row.format,
    state: row.state,
    // A copy of its own: pg's buffers are windows on whatever was received at once.
    publicKey: new Uint8Array(row.public_key),
    sealedSecret: row.sealed_secret,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
    retiredAt: row.retired_at,
  });
}
