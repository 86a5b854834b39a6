import { stateOf } from './facts.ts';
import { MAX_STALENESS_MS, type World } from './world.ts';

/** How long both clocks may be wrong after a pause that nothing shows: as long as a stream lives. */
const STREAM_MS = 10_500;

/** 1 % of the life of a stream, and the difference that the rates make meanwhile. */
const MARGIN_MS = 210;

/** The age that an answer may have now, in milliseconds. docs/adr/0080-a-stream-that-proves-it-is-complete.md names each exception. */
function allowedAge({ time, failedOverAt, stoodStill }: World): number {
  if (stoodStill && stoodStill.provenAfterMs === undefined) return Number.POSITIVE_INFINITY;
  const hasFailedOver = failedOverAt !== undefined && time - failedOverAt < 4 * MAX_STALENESS_MS;
  const wasPaused = stoodStill !== undefined && time - stoodStill.until < STREAM_MS;
  // A longer pause would make the bound of this proof impossible. The bound was lowered by the margin for rates.
  const hiddenMs = wasPaused ? (stoodStill.provenAfterMs ?? 0) + MARGIN_MS : 0;
  return MAX_STALENESS_MS * (hasFailedOver ? 2 : 1) + hiddenMs;
}

/** Throws if every version of the token that the answer can be about was replaced, and that acknowledged, too long ago. */
export function checkUse(world: World, token: number, state: string, source: string): void {
  const { time, primary } = world;
  const since = time - allowedAge(world) * 1.001 - 1;
  const oldest = primary.changes.findLastIndex(({ acknowledgedAt }) => acknowledgedAt < since) + 1;
  const states = primary.facts.slice(oldest).map((facts) => stateOf(facts, token));
  if (states.includes(state)) return;
  throw new Error(
    `${source}: at ${time}, token ${token} was accepted as ${state}, which ended before ${since}: ${states}`,
  );
}
