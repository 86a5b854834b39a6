import { type AccountId, formatInstant, type OrganizationId, ok } from '@gatehouse/extension-kit/domain';
import {
  definePostgresLayer,
  type ExtensionDatabase,
  expectViolation,
  type GeneratedAlways,
  type MigrationConnection,
  sql,
  type Timestamp,
} from '@gatehouse/extension-kit/postgres';
import type { VisitId, VisitStore } from './visit.ts';

interface Tables {
  readonly 'visits.visits': {
    id: GeneratedAlways<VisitId>;
    account_id: AccountId;
    organization_id: OrganizationId;
    visitor: string;
    started_at: Timestamp;
  };
}

const columns = [
  'id',
  'account_id as accountId',
  'organization_id as organizationId',
  'visitor',
  'started_at as startedAt',
] as const;

function createStore({ queries, inTime, change }: ExtensionDatabase<Tables>): VisitStore {
  return {
    list({ organizationId, after, limit }) {
      const all = queries.selectFrom('visits.visits').select(columns);
      let page = all.where('organization_id', '=', organizationId);
      if (after !== undefined) page = page.where('id', '>', after);
      return inTime(page.orderBy('id').limit(limit).execute());
    },
    insert({ accountId, organizationId, visitor, startedAt }, audit) {
      const inserted = change(async (tx, record) => {
        const created = await tx
          .insertInto('visits.visits')
          .values({
            account_id: accountId,
            organization_id: organizationId,
            visitor,
            started_at: formatInstant(startedAt),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        await record(audit(created));
        return ok(created);
      });
      return inserted.catch(expectViolation('visits_organization', { code: 'not_found' }));
    },
  };
}

const init = {
  async up(db: MigrationConnection) {
    await sql`
      create table visits.visits (
        id bigint generated always as identity primary key,
        account_id bigint not null,
        organization_id bigint not null,
        visitor text not null,
        started_at timestamptz(3) not null,
        constraint visits_organization
          foreign key (organization_id, account_id) references organizations (id, account_id) on delete cascade
      )`.execute(db);
  },
};

export const postgresLayer = definePostgresLayer({
  migrations: { '0001-init': init },
  belongings: [
    {
      table: 'visits.visits',
      belongsTo: 'organization',
      column: 'organization_id',
      one: 'visit',
      several: 'visits',
    },
  ],
  createStore,
});
