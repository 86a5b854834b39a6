import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/** Adds an index of an account's active admins, whom its members see. They are few among many users. */
export const up = script(sql`
    create index users_admins on users (account_id, id) where role = 'admin' and disabled_at is null`);
