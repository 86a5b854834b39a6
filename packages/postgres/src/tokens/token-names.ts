import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { type Condition, moment } from '../database/statements/conditions.ts';
import { isLiveRow } from './refusal-conditions.ts';

/** Whether a token occupies its name; a replaced token no longer does. tokens_api_name */
export const holdsName = (at: Instant): Condition =>
  sql`tokens.kind = 'api' and tokens.replaced_at is null and ${isLiveRow(moment(at))}`;
