import { err, ok } from '@gatehouse/domain';
import type { CredentialId, Service, ServiceName, ServiceRepository } from '@gatehouse/domain/services';
import { expectViolation } from '@gatehouse/extension-kit/postgres';
import { createCoalescedReads } from '@gatehouse/queues';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { onBehalfOfNone } from '../database/pool/askers.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { insertService, isInScopes, writeService } from './service-changes.ts';
import { selectServices, toService } from './service-records.ts';

const unlessAccountUnknown = expectViolation('service_accounts_account_id_fkey', {
  code: 'account_not_found',
} as const);

/** Creates the repository of services in PostgreSQL. */
export function createPostgresServiceRepository({ queries, inTime }: Database): ServiceRepository {
  const lists = createCoalescedReads<'all', readonly Service[]>();

  return {
    insert(service, event) {
      const inserted = queries.transaction().execute(async (tx) => {
        if ((await isInScopes(tx, service.name)) || !(await insertService(tx, service)))
          return err({ code: 'service_name_taken' });
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      });
      return inserted.catch(unlessAccountUnknown);
    },

    // Any client can cause this read with a made-up credential. Callers share one read, so that all of them together use
    // at most one connection.
    list: () =>
      inTime(
        lists('all', () =>
          onBehalfOfNone(async () => {
            const rows = await selectServices(queries).orderBy('services.name').execute();
            return Object.freeze(rows.map(toService));
          }),
        ),
      ),

    // Durable, because a change can end credentials, scopes and the service.
    update(name, change, audit) {
      const updated = commitDurably(queries, async (tx) => {
        const before = await lockService(tx, name);
        if (!before) return err({ code: 'service_not_found' });
        const changed = change(before);
        if (!changed.ok) return changed;
        const after = changed.value;
        if (after === before) return ok({ before, after });
        await writeService(tx, before, after);
        await insertAuditEvents(tx, [audit(before, after)]);
        return ok({ before, after });
      });
      return updated.catch(unlessAccountUnknown);
    },

    async findCredentialUses(ids) {
      const uses = await queries
        .selectFrom('service_credential_usage')
        .select(['credential_id', 'last_used_at'])
        .where('credential_id', '=', sql<CredentialId>`any(${ids}::uuid[])`)
        .execute();
      return new Map(uses.map((use) => [use.credential_id, use.last_used_at]));
    },

    async findHandleSecret() {
      const { secret } = await queries
        .selectFrom('change_handles')
        .select('secret')
        .executeTakeFirstOrThrow();
      return secret;
    },
  };
}

/**
 * Locks a service that was not deleted, and then reads it. A statement that both locks and reads would return the scopes
 * and credentials of the time before it waited for the lock. Uses of tokens at the service do not wait for this lock.
 */
async function lockService(tx: Queries, name: ServiceName): Promise<Service | undefined> {
  const locked = await tx
    .selectFrom('services')
    .select('name')
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  return toService(await selectServices(tx).where('services.name', '=', name).executeTakeFirstOrThrow());
}
