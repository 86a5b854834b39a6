import type { TimeEvents } from '@gatehouse/domain/time-events';
import type { Database } from '../database/database.ts';
import { recordDueKeys } from './due-keys.ts';
import { recordExceededPolicies } from './exceeded-policies.ts';
import { lookAtTokens } from './watched-tokens.ts';

/** Creates the port that records what became true because time went by, in PostgreSQL. */
export function createPostgresTimeEvents({ queries }: Database): TimeEvents {
  return {
    lookAtTokens: lookAtTokens(queries),
    recordDueKeys: recordDueKeys(queries),
    recordExceededPolicies: recordExceededPolicies(queries),
  };
}
