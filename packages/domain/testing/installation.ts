import type { CheckHealthPorts, HealthCheck, HealthReport } from '../src/health/index.ts';
import { checkHealth, findingsOf } from '../src/health/index.ts';
import { addMilliseconds } from '../src/time/index.ts';
import { givenAccount, givenUser, START, unwrap } from './fixtures.ts';
import { createWorld, OPERATOR, type World } from './world.ts';

export const DAY = 86_400_000;
/** The time of the health check, long after the start. */
export const NOW = addMilliseconds(START, 200 * DAY);

/** Creates a healthy installation with one user. */
export async function createInstallation() {
  const world = await createWorld();
  const account = await givenAccount(world);
  const ada = await givenUser(world, account.id);
  world.clock.set(NOW);
  return { world, account, ada };
}

/** Checks the health of an installation, with some ports replaced. */
export async function checkIn(world: World, parts: Partial<CheckHealthPorts> = {}): Promise<HealthReport> {
  return unwrap(await checkHealth({ ...world, ...parts })(OPERATOR));
}

export async function findingsIn(world: World, parts: Partial<CheckHealthPorts> = {}) {
  return findingsOf(await checkIn(world, parts));
}

export function outcomeIn(report: HealthReport, wanted: HealthCheck) {
  const found = report.find((each) => each.check === wanted);
  if (!found) throw new Error(`${wanted} is not in the report`);
  const { check, ...outcome } = found;
  return outcome;
}
