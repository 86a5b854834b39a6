import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/reactions';
const DELIVER = `${DOMAIN}/deliver.ts`;
const RUN = `${DOMAIN}/run-reaction.ts`;
const MANAGE = `${DOMAIN}/manage-reactions.ts`;
const POSTGRES = 'packages/postgres/src/reactions';
const REPOSITORY = `${POSTGRES}/reaction-repository.ts`;
const CHANGES = `${POSTGRES}/lane-changes.ts`;
const SETTLE = `${POSTGRES}/settle.ts`;
const LOOP = 'apps/server/src/reactions/start-reactions.ts';
const CHECK = 'packages/domain/src/health/check-reactions.ts';

/** Reactions to audit events: requirements 193 to 199. */
export const REACTION_MUTATIONS: readonly Mutation[] = [
  mutation([193], 'A reaction begins at the beginning of the log.', {
    file: RUN,
    find: 'await lastSealedPosition(ports)',
    replace: '0',
  }),
  mutation([193], 'The first event of each seal is left out.', {
    file: `${DOMAIN}/sealed-events.ts`,
    find: 'position > after ?',
    replace: 'position > after + 1 ?',
  }),
  mutation([193], 'Every action reaches the reaction.', {
    file: `${DOMAIN}/advance-reaction.ts`,
    find: "on === 'all' ?",
    replace: "on !== 'all' || on === 'all' ?",
  }),
  mutation([193], 'A reaction moves on from a position where it is not.', {
    file: REPOSITORY,
    find: ".where('position', '=', from)",
  }),
  mutation([193], 'An event that waits already is addressed again.', {
    file: REPOSITORY,
    find: 'on conflict do nothing returning lane',
    replace: 'returning lane',
  }),
  mutation([193], 'Pruned events hold a reaction up.', {
    file: `${DOMAIN}/sealed-events.ts`,
    find: 'limit: 1, unpruned: true });\n  if (!seal)',
    replace: 'limit: 1 });\n  if (!seal || seal.pruned)',
  }),
  mutation([193], 'A fault while an outcome is stored leaves the lane out for ever.', {
    file: RUN,
    find: '.finally(() => working.delete(due.lane))',
  }),
  mutation([194], 'Two processes run a reaction at once.', {
    file: REPOSITORY,
    find: '(holder is null or',
    replace: '(true or',
  }),
  mutation([194], 'A process that died holds its reaction for ever.', {
    file: REPOSITORY,
    find: ' or held_until <= clock_timestamp()',
  }),
  mutation([194], 'A process that lost a reaction fills its lanes.', {
    file: REPOSITORY,
    find: `.where('holder', '=', holder)
          .where('position', '=', from)`,
    replace: ".where('position', '=', from)",
  }),
  mutation([194], 'A process that lost a reaction stores what became of its events.', {
    file: SETTLE,
    find: 'lockReaction(tx, name, holder)',
    replace: 'lockReaction(tx, name)',
  }),
  mutation([194, 197], 'Changes of lanes do not wait for each other.', {
    file: CHANGES,
    find: '.forUpdate()',
  }),
  mutation([194], 'A process begins events although it no longer holds the reaction.', {
    file: RUN,
    find: ' && heldForMs() < LEASE_MS - MARGIN_MS',
  }),
  mutation([194], 'A process does not take a reaction for longer in time.', {
    file: RUN,
    find: 'heldForMs() < RENEWAL_MS) return',
    replace: 'heldForMs() < 2 * LEASE_MS) return',
  }),
  mutation([194], 'A stop does not wait for the handlers at work.', {
    file: RUN,
    find: 'await Promise.all(working.values());',
  }),
  mutation([194], 'A stopped server hands over a reaction whose handler is at work.', {
    file: LOOP,
    find: '.then(running.release)',
    replace: '.finally(running.release)',
  }),
  mutation([195], 'The events of a lane come in any order.', {
    file: REPOSITORY,
    find: 'order by position limit ${each}',
    replace: 'order by position desc limit ${each}',
  }),
  mutation([195], 'The last event of a lane is handled first.', {
    file: DELIVER,
    find: 'of due.deliveries)',
    replace: 'of due.deliveries.toReversed())',
  }),
  mutation([195], 'A lane goes on behind an event that failed.', {
    file: DELIVER,
    find: 'await settle({ done, failed });\n      return;',
    replace: 'await settle({ done, failed });\n      continue;',
  }),
  mutation([195], 'A lane that hangs delays the others.', {
    file: RUN,
    find: 'if (mayGoOn()) due.forEach(begin);',
    replace: 'if (mayGoOn()) due.forEach(begin);\n    await Promise.all(working.values());',
  }),
  mutation([195], 'A lane is begun again while it is at work.', {
    file: RUN,
    find: 'except: [...working.keys()]',
    replace: 'except: []',
  }),
  mutation([196], 'Pauses do not grow.', {
    file: DELIVER,
    find: '2 ** (tries - 1)',
    replace: '1',
  }),
  mutation([196], 'A pause that the receiver asks for is ignored.', {
    file: DELIVER,
    find: 'Math.max(retryAfterMs, pauseAfter(tries, plan, random))',
    replace: 'pauseAfter(tries, plan, random) + 0 * retryAfterMs',
  }),
  mutation([196], 'An event is never parked.', {
    file: DELIVER,
    find: 'tries < plan.tries',
    replace: 'tries > 0',
  }),
  mutation([196], 'A parked event stays in its lane.', {
    file: SETTLE,
    find: 'parked_at: parkedAt }',
    replace: 'parked_at: parkedAt && null }',
  }),
  mutation([196], 'Doctor does not name parked events.', {
    file: CHECK,
    find: 'parked > 0',
    replace: 'parked < 0',
  }),
  mutation([196], 'Doctor does not name a reaction that is late.', {
    file: CHECK,
    find: 'LATE_MS = 600_000',
    replace: 'LATE_MS = 6_000_000',
  }),
  mutation([196], 'What was never addressed does not count as waiting.', {
    file: `${DOMAIN}/sealed-events.ts`,
    find: 'if (!next) return waitingSince;',
    replace: 'if (!next || next) return waitingSince;',
  }),
  mutation([197], 'Admins manage reactions.', {
    file: 'packages/domain/src/access/rules.ts',
    find: "defineRule('reactions:manage', { users: 'none'",
    replace: "defineRule('reactions:manage', { users: 'admins'",
  }),
  mutation([197], 'A skip is not recorded.', {
    file: REPOSITORY,
    find: `if (stuck.parkedAt === null) await tryAt(tx, name, stuck.lane, now);
        await insertAuditEvents(tx, [audit(stuck)]);`,
    replace: 'if (stuck.parkedAt === null) await tryAt(tx, name, stuck.lane, now);',
  }),
  mutation([197], 'A skip leaves its lane waiting.', {
    file: REPOSITORY,
    find: `if (stuck.parkedAt === null) await tryAt(tx, name, stuck.lane, now);
        `,
  }),
  mutation([197], 'A try that was under way delays the event behind a skipped one.', {
    file: SETTLE,
    find: ' && (await isFirst(tx, name, lane, id))',
    replace: ' && (await isFirst(tx, name, lane, id).then(() => true))',
  }),
  mutation([197], 'A retried event is parked again after one try.', {
    file: REPOSITORY,
    find: '.set({ tries: 0, problem: null, parked_at: null })',
    replace: '.set({ parked_at: null })',
  }),
  mutation([197], 'The audit log does not say which event was skipped.', {
    file: MANAGE,
    find: '  action: event.action,\n',
  }),
  mutation([197], 'A move is not recorded.', {
    file: REPOSITORY,
    find: 'await insertAuditEvents(tx, [audit(before.position)]);',
  }),
  mutation([197], 'A removal is not recorded.', {
    file: REPOSITORY,
    find: 'await insertAuditEvents(tx, [audit(state)]);',
  }),
  mutation([197], 'A removal does not tell what was lost.', {
    file: MANAGE,
    find: '{ id: name }, { position, waiting, parked })',
    replace: '{ id: name }, { position })',
  }),
  mutation([197], 'A reaction is moved behind the end of the log.', {
    file: MANAGE,
    find: 'target > last',
    replace: 'target < 0',
  }),
  mutation([197], 'Events that did not fail can be skipped.', {
    file: `${POSTGRES}/reaction-records.ts`,
    find: 'where d.reaction = ${reaction} and d.tries > 0 and',
    replace: 'where d.reaction = ${reaction} and',
  }),
  mutation([197], 'An event of another reaction is skipped.', {
    file: `${POSTGRES}/reaction-records.ts`,
    find: 'where d.reaction = ${reaction} and',
    replace: 'where',
  }),
  mutation([198], 'Events are pruned that a reaction has not seen.', {
    file: 'packages/domain/src/audit/seals/prune-audit-events.ts',
    find: 'position < seal.last',
    replace: 'position < 0',
  }),
  mutation([199], 'A handler is waited for without end.', {
    file: 'apps/server/src/reactions/within.ts',
    find: 'Promise.race([work, late])',
    replace: 'Promise.race([work, late.catch(() => work)])',
  }),
  mutation([199], 'A reaction has no deadline.', {
    file: DELIVER,
    find: 'within(reaction.plan.deadlineMs, reaction.handle(delivery))',
    replace: 'within(1e9, reaction.handle(delivery))',
  }),
  mutation([199], 'What a handler says is stored as it is.', {
    file: DELIVER,
    find: 'replaceInvisible(problem).slice(0, MAX_PROBLEM)',
    replace: 'problem',
  }),
];
