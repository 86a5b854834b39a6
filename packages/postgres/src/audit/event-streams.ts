import type { Actor, AuditFilter } from '@gatehouse/domain/audit';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition } from '../database/statements/conditions.ts';

/** A range of ids of events. Both ids are in the range. */
export interface Bounds {
  readonly first: number;
  readonly last: number;
}

/**
 * Events that one index has in the order of their ids: those of each key, such as each of some users. An event is in
 * at most one of several streams of a filter.
 */
export interface Stream {
  readonly keys: readonly string[];
  /** Selects the ids of the newest events of the key `wanted.key` in the bounds. */
  newest(bounds: Bounds, limit: number): RawBuilder<unknown>;
}

/**
 * Makes a stream of an index on these columns and the id. The columns are bounded and sorted as a row with the id,
 * although they have the same values in all events of a key, so that PostgreSQL reads this index from its end and stops
 * at the limit. With plain equality, the planner might read another index, on which the events of the key are rare.
 */
function stream(keys: readonly string[], columns: readonly Column[], is: Condition = sql`true`): Stream {
  const names = columns.map(([name]) => name);
  const row = (id: number) =>
    sql`(${sql.join([...columns.map(([, value]) => value), sql`${String(id)}::bigint`])})`;
  const indexed = sql`(${sql.join([...names, sql`id`])})`;
  const order = sql.join([...names, sql`id`].map((name) => sql`${name} desc`));
  return {
    keys,
    newest: ({ first, last }, limit) => sql`
      select id from audit_events
      where ${and(is, sql`${indexed} >= ${row(first)}`, sql`${indexed} <= ${row(last)}`)}
      order by ${order} limit ${limit}`,
  };
}

/** A column of an index, and its value in the events of a key. */
type Column = readonly [name: RawBuilder<unknown>, value: RawBuilder<unknown>];

const KEY = sql`wanted.key`;
const ANY = [''];

/**
 * Returns the streams of each index that has all events of the filter. The streams of the first index usually have the
 * fewest others.
 */
export function streamsOf(filter: AuditFilter): readonly (readonly Stream[])[] {
  return [ofNamed(filter), ofActions(filter), ofAccount(filter)].filter((streams) => streams !== undefined);
}

function ofNamed({ tokens, subject, users, actor }: AuditFilter): readonly Stream[] | undefined {
  if (tokens) return [ofSubjects('token', tokens)];
  if (subject) return [ofSubjects(subject.type, [subject.id])];
  if (users) return ofUsers(users);
  return actor && ofActor(actor);
}

/** Uses the index audit_events_subject. */
const ofSubjects = (type: string, ids: readonly string[]) =>
  stream(ids, [
    [sql`subject_type`, sql`${type}::text`],
    [sql`subject_id`, KEY],
  ]);

function ofUsers(ids: readonly UserId[]): readonly Stream[] {
  const actors = ids.map((id): Actor => ({ kind: 'user', id }));
  return [byActors(actors), acting(sql`(actor->>'for')`, ids.map(String))];
}

/** The events of an operator include those for users. */
function ofActor(actor: Actor): readonly Stream[] {
  if (actor.kind === 'user') return ofUsers([actor.id]);
  const alone = byActors([actor]);
  return actor.kind === 'operator' && actor.for === undefined
    ? [alone, acting(sql`(actor->>'name')`, [actor.name])]
    : [alone];
}

/** Uses the index audit_events_actor. */
const byActors = (actors: readonly Actor[]) =>
  stream(
    actors.map((actor) => JSON.stringify(actor)),
    [[sql`actor`, sql`${KEY}::jsonb`]],
  );

/** Uses the index audit_events_for_user or audit_events_operator_for. */
const acting = (column: RawBuilder<unknown>, keys: readonly string[]) =>
  stream(keys, [[column, KEY]], sql`actor ? 'for'`);

/** Uses the index audit_events_account_action or audit_events_action. */
function ofActions({ accountId, actions }: AuditFilter): readonly Stream[] | undefined {
  if (actions === undefined) return undefined;
  const action = [sql`action`, KEY] as const;
  return [stream(actions, accountId === undefined ? [action] : [accountIs(accountId), action])];
}

/** Uses the index audit_events_account_id. */
const ofAccount = ({ accountId }: AuditFilter) =>
  accountId === undefined ? undefined : [stream(ANY, [accountIs(accountId)])];

const accountIs = (id: number) => [sql`account_id`, sql`${id}::bigint`] as const;
