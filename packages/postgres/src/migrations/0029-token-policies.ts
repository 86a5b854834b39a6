import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/** The columns of limits. A lifetime of null is no limit, and so are scopes of null. */
const LIMITS = sql`
      must_expire boolean not null default false,
      max_lifetime_ms bigint check (max_lifetime_ms > 0),
      scopes text[] check (cardinality(scopes) > 0),
      must_have_networks boolean not null default false,
      check (must_expire or max_lifetime_ms is null)`;

/**
 * Adds the rules of accounts for tokens, and the floor of the operator. Every account has a row for each kind of
 * holder, because the statements that insert tokens lock it: they would not see a row that is inserted meanwhile.
 *
 * In accounts that exist, tokens without an expiry never expire, as before. In new accounts they expire after 90 days.
 * A trigger inserts the rows, because servers of the previous version create accounts, too.
 */
export const steps = inSteps(
  sql`
    create table if not exists token_policies (
      account_id bigint not null references accounts on delete cascade,
      holder text not null check (holder in ('person', 'service')),
      default_lifetime_ms bigint check (default_lifetime_ms > 0),
      ${LIMITS},
      primary key (account_id, holder)
    );
    create table if not exists token_floors (
      holder text primary key check (holder in ('person', 'service')),
      ${LIMITS}
    );
    insert into token_floors (holder) values ('person'), ('service') on conflict do nothing;

    create or replace function insert_token_policies() returns trigger language plpgsql as $$
      begin
        insert into token_policies (account_id, holder, default_lifetime_ms)
          values (new.id, 'person', 7776000000), (new.id, 'service', 7776000000)
          on conflict do nothing;
        return null;
      end $$;
    create or replace trigger accounts_insert_token_policies after insert on accounts
      for each row execute function insert_token_policies();
    alter table accounts enable always trigger accounts_insert_token_policies`,
  // The trigger is committed, so no account that is created meanwhile is missed.
  sql`
    insert into token_policies (account_id, holder)
      select accounts.id, kind.holder from accounts cross join (values ('person'), ('service')) as kind (holder)
    on conflict do nothing`,
);
