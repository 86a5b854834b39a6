import { beforeEach, expect, test } from 'vitest';
import { anEvent, givenEvents, unwrap } from '../../testing/index.ts';
import { createInstallation, findingsIn } from '../../testing/installation.ts';
import type { World } from '../../testing/world.ts';
import type { AuditPosition } from '../audit/index.ts';
import { sealAuditEvents } from '../audit/index.ts';
import type { HolderId, Lane, ReactionName } from '../reactions/index.ts';
import { describeFinding } from './health-report.ts';

const reaction = 'mail' as ReactionName;
const HOLDER = '01890000-0000-7000-8000-000000000001' as HolderId;
const LANE = 'user 1' as Lane;
const LATE_MS = 600_000;

let world: World;
beforeEach(async () => {
  ({ world } = await createInstallation());
  await seal();
  await world.reactions.register(reaction, (await world.auditSeals.findLast())?.last ?? 0);
});
const seal = async () => void unwrap(await sealAuditEvents(world)());

/** Another event waits for the reaction, which a server runs or not. */
async function givenWaiting(heldForMs: number): Promise<void> {
  const from = (await world.reactions.hold(reaction, HOLDER, heldForMs)) ?? expect.fail();
  const to = (from + 1) as AuditPosition;
  const addressed = [{ position: to, lane: LANE, event: anEvent({ at: world.clock.now() }) }];
  await world.reactions.advance(reaction, HOLDER, { from, to, addressed, now: world.clock.now() });
}

test('a reaction that no server runs is reported once an event has waited for ten minutes', async () => {
  expect(await findingsIn(world)).toEqual([]);
  await givenEvents(world, 1);
  await seal();
  const since = world.clock.now();
  world.clock.advance(LATE_MS - 1);
  expect(await findingsIn(world)).toEqual([]);
  world.clock.advance(1);
  expect(await findingsIn(world)).toEqual([{ code: 'reaction_not_run', reaction, since }]);
});

test('a reaction that is run but late is reported with the event that waits longest', async () => {
  const since = world.clock.now();
  await givenWaiting(3_600_000);
  world.clock.advance(LATE_MS);
  await givenWaiting(3_600_000);
  const [found] = await findingsIn(world);
  expect(found).toEqual({ code: 'reaction_late', reaction, since });
  expect(found && describeFinding(found).message).toContain('waits since 2026-');
});

test('events that were given up are reported, however long ago', async () => {
  await givenWaiting(3_600_000);
  const [due] = await world.reactions.findDue(reaction, {
    now: world.clock.now(),
    lanes: 1,
    each: 1,
    except: [],
  });
  const id = due?.deliveries[0]?.id ?? expect.fail();
  const next = { parkedAt: world.clock.now() };
  const outcome = { lane: LANE, done: [], failed: { id, tries: 20, problem: 'no', next } };
  await world.reactions.settle(reaction, HOLDER, outcome, world.clock.now());
  world.clock.advance(LATE_MS);
  const [found, ...others] = await findingsIn(world);
  expect([found, others]).toEqual([{ code: 'reaction_parked', reaction, parked: 1 }, []]);
  expect(found && describeFinding(found).message).toBe(
    'The reaction mail gave up an event after the last try.',
  );
});
