import { beforeEach, expect, test } from 'vitest';
import {
  anEvent,
  createWorldWithAdmins,
  givenEvents,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { type AuditPosition, pruneAuditEvents, sealAuditEvents } from '../audit/index.ts';
import { err } from '../result.ts';
import {
  listReactions,
  moveReaction,
  removeReaction,
  retryDelivery,
  showReaction,
  skipDelivery,
} from './manage-reactions.ts';
import type { DeliveryId, Lane, ReactionName } from './reaction.ts';
import type { HolderId } from './reaction-repository.ts';

const name = 'mail' as ReactionName;
const HOLDER = '01890000-0000-7000-8000-000000000001' as HolderId;
const LANE = 'user 1' as Lane;

let world: World;
let admin: ReturnType<typeof inPerson>;
beforeEach(async () => {
  const { world: made, ada } = await createWorldWithAdmins();
  world = made;
  admin = inPerson(ada);
  await sealAll();
  await world.reactions.register(name, 0);
});

async function sealAll(): Promise<number> {
  while (unwrap(await sealAuditEvents(world)()).more);
  return (await world.auditSeals.findLast())?.last ?? 0;
}

/** An event that failed once. Returns its id. */
async function givenStuck(): Promise<DeliveryId> {
  await world.reactions.hold(name, HOLDER, 60_000);
  const addressed = [{ position: 1 as AuditPosition, lane: LANE, event: anEvent() }];
  const now = world.clock.now();
  await world.reactions.advance(name, HOLDER, { from: 0, to: 1 as AuditPosition, addressed, now });
  const [due] = await world.reactions.findDue(name, { now, lanes: 1, each: 1, except: [] });
  const id = due?.deliveries[0]?.id ?? expect.fail();
  const failed = { id, tries: 1, problem: 'no', next: { parkedAt: START } };
  await world.reactions.settle(name, HOLDER, { lane: LANE, done: [], failed }, now);
  return id;
}
const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;

test('only the operator sees and changes reactions', async () => {
  const refused = err({ code: 'not_allowed' });
  expect(await listReactions(world)(admin)).toEqual(refused);
  expect(await showReaction(world)(admin, { name, limit: 1 })).toEqual(refused);
  expect(await retryDelivery(world)(admin, { name, id: 1 as DeliveryId })).toEqual(refused);
  expect(await skipDelivery(world)(admin, { name, id: 1 as DeliveryId })).toEqual(refused);
  expect(await moveReaction(world)(admin, { name, to: 0 })).toEqual(refused);
  expect(await removeReaction(world)(admin, name)).toEqual(refused);
  expect(unwrap(await listReactions(world)(OPERATOR))).toMatchObject([{ name, position: 0 }]);
});

test('a reaction is shown with what is stuck', async () => {
  const id = await givenStuck();
  const shown = unwrap(await showReaction(world)(OPERATOR, { name, limit: 9 }));
  expect(shown).toMatchObject({ state: { parked: 1 }, stuck: [{ id, problem: 'no' }] });
  const unknown = { name: 'none' as ReactionName, limit: 9 };
  expect(await showReaction(world)(OPERATOR, unknown)).toEqual(err({ code: 'reaction_not_found' }));
});

test('retries and skips are in the audit log with the event that they are about', async () => {
  const id = await givenStuck();
  unwrap(await retryDelivery(world)(OPERATOR, { name, id }));
  const details = { position: 1, lane: LANE, action: 'account.created', tries: 1, problem: 'no' };
  const common = {
    actor: { kind: 'operator' },
    subject: { type: 'reaction', id: name },
    accountId: null,
    details,
  };
  expect(await newestEvent()).toMatchObject({ ...common, action: 'reaction.retried' });
  expect(await skipDelivery(world)(OPERATOR, { name, id })).toEqual(err({ code: 'delivery_not_found' }));
  const failed = { id, tries: 1, problem: 'no', next: { parkedAt: START } };
  await world.reactions.settle(name, HOLDER, { lane: LANE, done: [], failed }, START);
  unwrap(await skipDelivery(world)(OPERATOR, { name, id }));
  expect(await newestEvent()).toMatchObject({ ...common, action: 'reaction.skipped' });
});

test('it is moved to a position that the log has, or to the end of what is sealed', async () => {
  const last = await sealAll();
  await givenEvents(world, 1);
  expect(await moveReaction(world)(OPERATOR, { name, to: (last + 1) as AuditPosition })).toMatchObject(
    err({ code: 'invalid_input', problems: [{ field: 'to' }] }),
  );
  expect(unwrap(await moveReaction(world)(OPERATOR, { name, to: 'now' }))).toEqual({ position: last });
  expect(await newestEvent()).toMatchObject({ action: 'reaction.moved', details: { from: 0, to: last } });
  expect(unwrap(await moveReaction(world)(OPERATOR, { name, to: 0 }))).toEqual({ position: 0 });
});

test('a removed reaction leaves an event that says what was lost', async () => {
  await givenStuck();
  unwrap(await removeReaction(world)(OPERATOR, name));
  expect(await newestEvent()).toMatchObject({
    action: 'reaction.removed',
    subject: { type: 'reaction', id: name },
    details: { position: 1, waiting: 0, parked: 1 },
  });
  expect(unwrap(await listReactions(world)(OPERATOR))).toEqual([]);
  expect(await removeReaction(world)(OPERATOR, name)).toEqual(err({ code: 'reaction_not_found' }));
});

test('no event is pruned that a reaction has not addressed, until the reaction passes it or is removed', async () => {
  const last = await sealAll();
  const { mac } = (await world.auditSeals.findLast()) ?? expect.fail();
  const prune = () => pruneAuditEvents(world)(OPERATOR, { last, mac });
  const refused = err({ code: 'audit_reactions_behind', reaction: name, position: last - 1, last });
  unwrap(await moveReaction(world)(OPERATOR, { name, to: (last - 1) as AuditPosition }));
  expect(await prune()).toEqual(refused);
  await world.reactions.register('another' as ReactionName, last as AuditPosition);
  expect(await prune()).toEqual(refused);
  unwrap(await removeReaction(world)(OPERATOR, name));
  expect(unwrap(await prune())).toMatchObject({ pruned: last });
});
