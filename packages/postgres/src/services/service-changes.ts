import type { AccountId } from '@gatehouse/domain/accounts';
import type { Service, ServiceName } from '@gatehouse/domain/services';
import { formatInstantOrNull } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { rowOf } from '../database/domain-names.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';

/** The rows of a service in other tables than `services`. */
type Parts = Pick<Service, 'openTo' | 'scopes' | 'credentials'>;

const NO_PARTS: Parts = { openTo: [], scopes: [], credentials: [] };

/**
 * Whether a token has a scope of a service with this name. Reads all tokens, which is acceptable because services are
 * rarely created.
 */
export async function isInScopes(tx: Queries, name: ServiceName): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from tokens, unnest(scopes) as scope where starts_with(scope, ${`${name}:`})) as found
    where ${onPrimary}`.execute(tx);
  return rows[0]?.found ?? true;
}

/** Inserts a service. Returns whether its name was free. */
export async function insertService(tx: Queries, service: Service): Promise<boolean> {
  const { name, description, createdAt, deletedAt } = service;
  const inserted = await tx
    .insertInto('services')
    .values({ ...rowOf({ name, description, createdAt, deletedAt }), open_to_all: service.openTo === 'all' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  if (!inserted) return false;
  await writeParts(tx, NO_PARTS, service);
  return true;
}

/** Writes the differences between the stored service and the changed one. The row of the service must be locked. */
export async function writeService(tx: Queries, before: Service, after: Service): Promise<void> {
  const [was, is] = [before, after].map(({ description, openTo, deletedAt }) => ({
    description,
    open_to_all: openTo === 'all',
    deleted_at: formatInstantOrNull(deletedAt),
  })) as [ServiceRow, ServiceRow];
  if (JSON.stringify(was) !== JSON.stringify(is))
    await tx.updateTable('services').set(is).where('name', '=', after.name).execute();
  await writeParts(tx, before, after);
}

interface ServiceRow {
  readonly description: string | null;
  readonly open_to_all: boolean;
  readonly deleted_at: string | null;
}

async function writeParts(tx: Queries, before: Parts, after: Service): Promise<void> {
  await writeAccounts(tx, after, listed(before), listed(after));
  await writeScopes(tx, before, after);
  await writeCredentials(tx, before, after);
}

const listed = ({ openTo }: Parts): readonly AccountId[] => (openTo === 'all' ? [] : openTo);

async function writeAccounts(
  tx: Queries,
  { name }: Service,
  before: readonly AccountId[],
  after: readonly AccountId[],
): Promise<void> {
  const [stored, wanted] = [new Set(before), new Set(after)];
  const removed = before.filter((id) => !wanted.has(id));
  const added = after.filter((id) => !stored.has(id));
  if (removed.length > 0)
    await sql`
      delete from service_accounts where service = ${name} and account_id = any(${removed}::bigint[])`.execute(
      tx,
    );
  if (added.length > 0)
    await sql`
      insert into service_accounts (service, account_id)
      select ${name}, id from unnest(${added}::bigint[]) as added (id)`.execute(tx);
}

/**
 * Returns the items that were added or changed, with their positions. Items keep their positions, and a changed item is
 * another object.
 */
function changedItems<Item>(before: readonly Item[], after: readonly Item[]) {
  return [...after.entries()].filter(([position, item]) => item !== before[position]);
}

async function writeScopes(tx: Queries, before: Parts, { name: service, scopes }: Service): Promise<void> {
  const changed = changedItems(before.scopes, scopes);
  if (changed.length === 0) return;
  await tx
    .insertInto('service_scopes')
    .values(changed.map(([position, scope]) => ({ ...rowOf(scope), service, position })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({
        label: ref('excluded.label'),
        allows: ref('excluded.allows'),
        removed_at: ref('excluded.removed_at'),
      })),
    )
    .execute();
}

async function writeCredentials(
  tx: Queries,
  before: Parts,
  { name: service, credentials }: Service,
): Promise<void> {
  const changed = changedItems(before.credentials, credentials);
  if (changed.length === 0) return;
  await tx
    .insertInto('service_credentials')
    .values(
      changed.map(([, { hash, ...credential }]) => ({
        ...rowOf(credential),
        service,
        secret_hash: Buffer.from(hash, 'hex'),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        expires_at: ref('excluded.expires_at'),
        revoked_at: ref('excluded.revoked_at'),
        replaced_by: ref('excluded.replaced_by'),
      })),
    )
    .execute();
}
