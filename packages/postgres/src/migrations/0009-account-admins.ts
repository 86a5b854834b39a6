import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/** The admins of an account, whom its members are told: few among many users. */
export const up = script(sql`
    create index users_admins on users (account_id, id) where role = 'admin' and disabled_at is null`);
