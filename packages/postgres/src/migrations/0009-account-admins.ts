import { sql } from 'kysely';
import { script } from '../database/migrator/migration-statements.ts';

/**
 * Adds an index of the active admins of an account, whom the members of the account see. An account has few admins, but
 * may have many users.
 */
export const up = script(sql`
    create index users_admins on users (account_id, id) where role = 'admin' and disabled_at is null`);
