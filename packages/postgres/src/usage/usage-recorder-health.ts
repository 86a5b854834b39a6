import type { Instant } from '@gatehouse/domain/time';
import type { UsageRecorderHealth } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';

/** Reads how the usage recorders keep up, as they record it whenever they store. */
export function createPostgresUsageRecorderHealth({ queries }: Database): UsageRecorderHealth {
  return {
    async list() {
      const { rows } = await sql<{ storedAt: Instant; lagMs: number }>`
        select stored_at as "storedAt", lag_ms as "lagMs" from usage_recorders
        where ${onPrimary} order by stored_at desc`.execute(queries);
      return rows;
    },
  };
}
