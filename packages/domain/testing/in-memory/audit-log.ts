import { isDeepStrictEqual } from 'node:util';
import type { Actor, AuditEntry, AuditEventId, AuditLog, AuditQuery } from '../../src/audit/index.ts';
import { findNamed } from './audit-names.ts';
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
    findNamed: async (query) => findNamed(state, query),
  };

  function emailOf(actor: Actor) {
    const id = actor.kind === 'user' ? actor.id : actor.kind === 'operator' ? actor.for : undefined;
    return (id && state.users.get(id)?.email) ?? null;
  }
}

function takes(query: AuditQuery, { id, event }: AuditEntry): boolean {
  const { subject, accountId, actor, users, tokens, actions, since, until, before } = query;
  return (
    (subject === undefined || (subject.type === event.subject.type && subject.id === event.subject.id)) &&
    (accountId === undefined || accountId === event.accountId) &&
    (actor === undefined || isBy(actor, event.actor)) &&
    (users === undefined || users.some((id) => isBy({ kind: 'user', id }, event.actor))) &&
    (tokens === undefined ||
      (event.subject.type === 'token' && tokens.some((id) => id === event.subject.id))) &&
    (actions === undefined || actions.includes(event.action)) &&
    (since === undefined || since <= event.at) &&
    (until === undefined || event.at < until) &&
    (before === undefined || id < before)
  );
}

function isBy(wanted: Actor, actor: Actor): boolean {
  if (isDeepStrictEqual(wanted, actor)) return true;
  if (actor.kind !== 'operator' || actor.for === undefined) return false;
  if (wanted.kind === 'user') return wanted.id === actor.for;
  return wanted.kind === 'operator' && wanted.for === undefined && wanted.name === actor.name;
}
