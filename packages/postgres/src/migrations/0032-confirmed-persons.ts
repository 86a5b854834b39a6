import { inSteps } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { notifyOf } from '../changes/notify-triggers.ts';

/**
 * The columns of a user whose changes servers are told: those that Gatehouse shows, and the time until which a person is
 * confirmed, on which each use of the person's tokens depends.
 */
const DECIDING = 'id, account_id, email, name, role, created_at, disabled_at, confirmed_until';
const DECIDING_CHANGED = `select id from (
  select ${DECIDING} from old_rows except select ${DECIDING} from new_rows) as changed`;

/**
 * Adds the rule of an account that identity providers confirm its persons again and again, when a provider last confirmed
 * a person, and the time from which tokens of a person are refused unless an identity provider confirms the person again.
 *
 * Adding a column without a default only changes the catalog. Servers of the previous version ignore the columns, so no
 * account gets the rule while one of them is connected.
 */
export const steps = inSteps(
  sql`
    alter table token_policies add column if not exists confirm_within_ms bigint
      check (confirm_within_ms is null or (confirm_within_ms > 0 and holder = 'person'));
    alter table users
      add column if not exists confirmed_at timestamptz(3),
      add column if not exists confirmed_until timestamptz(3)`,
  async (db) => {
    await notifyOf(db, 'users', 'user', ['update', 'delete'], { update: DECIDING_CHANGED });
    return undefined;
  },
  // Lists of tokens look for the few persons of an account who are no longer confirmed.
  sql`
    create index if not exists users_confirmed_of_account on users (account_id, confirmed_until)
      where confirmed_until is not null`,
);
