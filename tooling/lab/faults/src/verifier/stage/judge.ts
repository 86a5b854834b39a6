import { setTimeout as delay } from 'node:timers/promises';
import { BOUND_MS } from '../../stage/revocation.ts';
import { until } from '../../stage/until.ts';
import { monotonicMs } from './monotonic.ts';
import type { Run } from './outcomes.ts';
import type { Service } from './service.ts';

/** How long the verifier is watched after the bound, in milliseconds: what it decides then is wrong if it accepts. */
const WATCHED_MS = 300;

/** Whether a decision is as before the change. */
export type IsOld = (run: Run) => boolean;

const accepts: IsOld = ({ status }) => status === 200;

/** How a change shows in decisions. */
export interface Signs {
  /** Default: the token is accepted. */
  readonly isOld?: IsOld;
  /** Whether a 503 is as after the change, because nothing can be decided then. */
  readonly mayBeSilent?: boolean;
}

/** Resolves when the verifier accepts the token from memory, now. */
export function untilRemembered(service: Service, token: string): Promise<number> {
  const since = monotonicMs();
  return until('the verifier decides from memory', async () => {
    const { runs } = await service.report(token);
    return runs.some(
      ({ isKnown, status, to, count }) => isKnown && status === 200 && to > since && count > 3,
    );
  });
}

/**
 * Changes a token that is watched, and returns `latenessAfter` its acknowledgement.
 *
 * @param change resolves at the acknowledgement
 */
export async function latenessOf(
  service: Service,
  token: string,
  change: () => Promise<unknown>,
  signs?: Signs,
): Promise<number> {
  await change();
  return latenessAfter(monotonicMs(), service, token, signs);
}

/**
 * Returns when the verifier last decided as before a change, in milliseconds after the acknowledgement of the change; 0 if
 * it did not after it. Beyond the bound it may be only the first such decision. Resolves when the verifier has decided
 * anew, after the bound.
 */
export async function latenessAfter(
  acknowledgedAt: number,
  service: Service,
  token: string,
  { isOld = accepts, mayBeSilent = false }: Signs = {},
): Promise<number> {
  const lastOf = (runs: readonly Run[]) =>
    Math.max(0, ...runs.filter(isOld).map(({ to }) => to - acknowledgedAt));
  let lateness = 0;
  await until('the verifier decides anew', async () => {
    const { runs } = await service.report(token);
    lateness = lastOf(runs);
    if (lateness > BOUND_MS) return true;
    const isAnew = (run: Run) =>
      run.to > acknowledgedAt && !isOld(run) && (mayBeSilent || run.status !== 503);
    if (!runs.some(isAnew)) return false;
    await delay(Math.max(0, acknowledgedAt + BOUND_MS + WATCHED_MS - monotonicMs()));
    const after = await service.report(token);
    lateness = lastOf(after.runs);
    return true;
  });
  return lateness;
}

/** How often a token was refused that nothing has happened to. A 503 is no refusal. */
export async function wronglyRefused(service: Service, token: string): Promise<number> {
  const { runs } = await service.report(token);
  return runs
    .filter(({ status }) => status !== 200 && status !== 503)
    .reduce((sum, { count }) => sum + count, 0);
}
