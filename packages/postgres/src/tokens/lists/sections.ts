import type { AccountId } from '@gatehouse/domain/accounts';
import { RECORD_REFUSALS, type RecordRefusal, type TokenSection } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, moment } from '../../database/statements/conditions.ts';
import { EXPIRY, passes, refuses, rowOf } from '../refusal-conditions.ts';
import { type AccountAt, accountRefusal } from './account-refusals.ts';

/** Whether tokens of a part are refused for a reason. */
type Demand = readonly [reason: RecordRefusal, isRefused: boolean];

type Part = readonly Demand[];

/**
 * Lists divide ended tokens into disjoint parts, one for each reason: the tokens that are refused for it and for none before
 * it in this order, which is that of the indexes and not the domain's. A part is read by the order of the index that has no
 * other tokens, or by each key.
 */
const READ_BY: Readonly<Record<RecordRefusal, RawBuilder<unknown> | 'keys'>> = {
  // tokens_revoked_by_id
  revoked: sql`tokens.id`,
  // tokens_open_by_expiry
  expired: EXPIRY,
  // tokens_open_of_keys
  key_retired: 'keys',
  // tokens_live_of_user
  user_disabled: sql`tokens.id`,
  // tokens_open_of_keys
  account_suspended: 'keys',
};

const ENDED = Object.keys(READ_BY) as readonly RecordRefusal[];

const ACCEPTED: Part = ENDED.map((reason) => [reason, false]);

const partOf = (reason: RecordRefusal): Part => [...ACCEPTED.slice(0, ENDED.indexOf(reason)), [reason, true]];

const isApiTokenOf = (accountId: AccountId): Condition =>
  sql`tokens.account_id = ${accountId} and tokens.kind = 'api'`;

function isInPart(part: Part, of: AccountAt): Condition {
  const demands = part.map(
    ([reason, isRefused]) => accountRefusal(reason, of)[isRefused ? 'refuses' : 'passes'],
  );
  return and(isApiTokenOf(of.accountId), ...demands);
}

/** The account's API tokens that are accepted. tokens_open */
export const isAccepted = (of: AccountAt): Condition => isInPart(ACCEPTED, of);

/** The account's API tokens that are not revoked or expired, but whose creator is disabled. tokens_live_of_user */
export const isOfDisabledUser = (of: AccountAt): Condition =>
  isInPart(
    [
      ['revoked', false],
      ['expired', false],
      ['user_disabled', true],
    ],
    of,
  );

/** The conditions of a section's disjoint parts. */
export function partsOf(section: TokenSection, of: AccountAt): readonly Condition[] {
  const parts = section === 'active' ? [ACCEPTED] : ENDED.map(partOf);
  return parts.map((part) => isInPart(part, of));
}

/**
 * The conditions of the disjoint parts of the ended tokens with a state. A state is the first reason in the domain's order: it
 * is in its own part, and in those before it that the domain checks later.
 */
export function partsOfState(state: RecordRefusal, of: AccountAt): readonly Condition[] {
  const earlier = RECORD_REFUSALS.slice(0, RECORD_REFUSALS.indexOf(state));
  return ENDED.slice(0, ENDED.indexOf(state) + 1)
    .filter((reason) => !earlier.includes(reason))
    .map((reason) => {
      const part = partOf(reason);
      const known = new Set(part.map(([each]) => each));
      const demands: Part = [...earlier.map((each): Demand => [each, false]), [state, true]];
      return isInPart([...part, ...demands.filter(([each]) => !known.has(each))], of);
    });
}

/**
 * Selects up to `limit` tokens of each part of a section, by indexes that have no others: the planner cannot know how
 * many of an account's tokens have ended, and so each part has the order of the index that it is to take.
 */
export function rowsOf(section: TokenSection, of: AccountAt, columns: RawBuilder<unknown>, limit: number) {
  if (section === 'active') return [rowsByKey(ACCEPTED, of, columns, limit)];
  return ENDED.map((reason) => {
    const order = READ_BY[reason];
    return order === 'keys'
      ? rowsByKey(partOf(reason), of, columns, limit)
      : sql`(select ${columns} from tokens where ${isInPart(partOf(reason), of)} order by ${order} limit ${limit})`;
  });
}

/** tokens_open_of_keys. All conditions stand before the limit: what they reject must not use it up. */
function rowsByKey(part: Part, of: AccountAt, columns: RawBuilder<unknown>, limit: number) {
  const ofKey = part.filter(([reason]) => rowOf(reason) === 'key');
  const keys = ofKey.map(([reason, isRefused]) =>
    (isRefused ? refuses : passes)(reason, 'signing_keys', moment(of.now)),
  );
  const tokens = isInPart(
    part.filter((demand) => !ofKey.includes(demand)),
    of,
  );
  return sql`(
    select ${columns} from (select id as usable from signing_keys where ${and(...keys)}) as keys cross join lateral (
      select * from tokens where key_id = usable and ${tokens} order by ${EXPIRY}, tokens.id limit ${limit}) as tokens)`;
}
