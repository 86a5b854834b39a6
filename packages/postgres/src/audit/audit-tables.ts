import { sql } from 'kysely';
import { PRINTED_FORM } from '../database/pool/session-settings.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';

/** The definitions that the migrations give the tables of the log. */
const MADE: ReadonlySet<string> = new Set(
  Object.entries({
    audit_events: [
      'has the column id bigint',
      'has the column at timestamp(3) with time zone',
      'has the column actor jsonb',
      'has the column origin text',
      'has the column action text',
      'has the column subject_type text',
      'has the column subject_id text',
      'has the column account_id bigint',
      'has the column details jsonb',
      'is a table',
      'has the trigger audit_events_stay',
      'has the trigger audit_events_pruned',
      'has the constraint PRIMARY KEY (id)',
    ],
    audit_gaps: [
      'has the column first_id bigint',
      'has the column last_id bigint',
      'has the column writers text[]',
      'is a table',
      'has the constraint CHECK ((first_id <= last_id))',
      'has the constraint PRIMARY KEY (first_id)',
    ],
    audit_seal_keys: [
      'has the column id text',
      'has the column sealed_secret text',
      'is a table',
      'has the constraint PRIMARY KEY (id)',
    ],
    audit_seals: [
      'has the column last_position bigint',
      'has the column first_position bigint',
      'has the column ids int8multirange',
      'has the column through_id bigint',
      'has the column digest text',
      'has the column line_hashes text',
      'has the column sealed_at timestamp(3) with time zone',
      'has the column previous text',
      'has the column mac text',
      'has the column pruned_at timestamp(3) with time zone',
      'has the column pruned_mac text',
      'is a table',
      'has the trigger audit_seals_stay',
      'has the trigger audit_seals_stay_all',
      'has the constraint CHECK (((first_position >= 1) AND (first_position <= last_position)))',
      'has the constraint CHECK (((pruned_mac IS NULL) = (pruned_at IS NULL)))',
      'has the constraint PRIMARY KEY (last_position)',
      'has the constraint UNIQUE (mac)',
    ],
  }).flatMap(([table, facts]) => facts.map((fact) => `${table} ${fact}`)),
);

/** Ignores other columns, such as those of a newer version, which hide nothing. */
const MAY_BE_MORE = /^\w+ has the column /;

/**
 * Describes the tables in words. With an heir, a rule, row-level security or a constraint that does not hold, a
 * statement shows other rows than the table has; with a column of another type, other values.
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

/** Returns how the tables differ from their migrations. */
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
