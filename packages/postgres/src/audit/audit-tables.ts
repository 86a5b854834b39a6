import { sql } from 'kysely';
import { PRINTED_FORM } from '../database/pool/session-settings.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';

/** How the migrations define the tables of the audit log. */
const DEFINITIONS = {
  audit_events: {
    columns: `id bigint, at timestamp(3) with time zone, actor jsonb, origin text, action text, subject_type text,
      subject_id text, account_id bigint, details jsonb`,
    triggers: ['audit_events_stay', 'audit_events_pruned'],
    constraints: ['PRIMARY KEY (id)'],
  },
  audit_gaps: {
    columns: 'first_id bigint, last_id bigint, writers text[]',
    triggers: [],
    constraints: ['CHECK ((first_id <= last_id))', 'PRIMARY KEY (first_id)'],
  },
  audit_seal_keys: {
    columns: 'id text, sealed_secret text',
    triggers: [],
    constraints: ['PRIMARY KEY (id)'],
  },
  audit_seals: {
    columns: `last_position bigint, first_position bigint, ids int8multirange, through_id bigint, digest text,
      line_hashes text, sealed_at timestamp(3) with time zone, previous text, mac text,
      pruned_at timestamp(3) with time zone, pruned_mac text`,
    triggers: ['audit_seals_stay', 'audit_seals_stay_all'],
    constraints: [
      'CHECK (((first_position >= 1) AND (first_position <= last_position)))',
      'CHECK (((pruned_mac IS NULL) = (pruned_at IS NULL)))',
      'PRIMARY KEY (last_position)',
      'UNIQUE (mac)',
    ],
  },
};

/** The definitions as sentences, in the form in which `FACTS` describes the tables. */
const MADE: ReadonlySet<string> = new Set(
  Object.entries(DEFINITIONS).flatMap(([table, { columns, triggers, constraints }]) => [
    ...columns.split(/,\s+/).map((column) => `${table} has the column ${column}`),
    `${table} is a table`,
    ...triggers.map((trigger) => `${table} has the trigger ${trigger}`),
    ...constraints.map((constraint) => `${table} has the constraint ${constraint}`),
  ]),
);

/**
 * Matches sentences about columns. A table may have more columns than its migrations define, such as columns of a newer
 * version, because additional columns hide nothing.
 */
const MAY_BE_MORE = /^\w+ has the column /;

/**
 * Selects sentences that describe the tables. If a table inherits or has a rule, row-level security or an invalid
 * constraint, a statement can show other rows than the table has. If a column has another type, a statement can show
 * other values.
 */
const FACTS = sql<{ fact: string }>`
  with audit as (
    select oid, relname::text as name, relkind, relrowsecurity or relforcerowsecurity as secured from pg_class
    where oid = any (array['audit_events', 'audit_seals', 'audit_gaps', 'audit_seal_keys']::regclass[])
  )
  select name || ' is ' || case relkind when 'r' then 'a table' else 'no table' end as fact from audit
  union all select name || ' has row-level security' from audit where secured
  union all select name || ' inherits, or is inherited from' from audit
    where exists (select from pg_inherits where audit.oid in (inhrelid, inhparent))
  union all select name || ' has the rule ' || rulename from audit join pg_rewrite on ev_class = audit.oid
  union all select name || ' has the column ' || attname || ' ' || format_type(atttypid, atttypmod)
      || case when attgenerated <> '' then ' generated' else '' end
    from audit join pg_attribute on attrelid = audit.oid where attnum > 0 and not attisdropped
  union all select name || ' has the trigger ' || tgname || case tgenabled when 'O' then '' else ', disabled' end
    from audit join pg_trigger on tgrelid = audit.oid where not tgisinternal
  union all select name || ' has the constraint ' || pg_get_constraintdef(pg_constraint.oid)
    from audit join pg_constraint on conrelid = audit.oid where contype <> 'n'`;

/** Returns a sentence for each difference between the tables and their migrations. */
export async function tableChanges(db: Queries): Promise<readonly string[]> {
  const { rows } = await db.transaction().execute(async (tx) => {
    await sql`set local ${sql.raw(PRINTED_FORM)}`.execute(tx);
    return sql<{ fact: string }>`select fact from (${FACTS}) as facts where ${onPrimary}`.execute(tx);
  });
  const found = new Set(rows.map(({ fact }) => fact));
  const more = [...found].filter((fact) => !MADE.has(fact) && !MAY_BE_MORE.test(fact));
  const gone = [...MADE].filter((fact) => !found.has(fact));
  return [...more, ...gone.map((fact) => `not any more: ${fact}`)];
}
