import { isDeepStrictEqual } from 'node:util';
import type { Actor, AuditEntry, AuditEventId, AuditLog, AuditQuery } from '../../src/audit/index.ts';
import type { State } from './state.ts';

export function createInMemoryAuditLog(state: State): AuditLog {
  return {
    async list(query) {
      return state.events
        .map((event, index) => ({ id: (index + 1) as AuditEventId, event, actorEmail: emailOf(event.actor) }))
        .filter((entry) => !state.prunedEvents.has(entry.id) && takes(query, entry))
        .toReversed()
        .slice(0, query.limit);
    },
  };

  function emailOf(actor: Actor) {
    return actor.kind === 'user' ? (state.users.get(actor.id)?.email ?? null) : null;
  }
}

function takes(query: AuditQuery, { id, event }: AuditEntry): boolean {
  const { subject, accountId, actor, actions, since, until, before } = query;
  return (
    (subject === undefined || (subject.type === event.subject.type && subject.id === event.subject.id)) &&
    (accountId === undefined || accountId === event.accountId) &&
    (actor === undefined || isDeepStrictEqual(actor, event.actor)) &&
    (actions === undefined || actions.includes(event.action)) &&
    (since === undefined || since <= event.at) &&
    (until === undefined || event.at < until) &&
    (before === undefined || id < before)
  );
}
