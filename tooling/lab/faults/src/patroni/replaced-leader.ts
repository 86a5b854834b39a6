import { adminOf, type IssuedToken } from '../stage/admin.ts';
import { untilReady, verdictOf } from '../stage/ask.ts';
import type { Ledger } from '../stage/ledger.ts';
import type { ServerNode, Settings } from '../stage/node.ts';
import { repeat } from '../stage/repeat.ts';
import { latenessesOf } from '../stage/revocation.ts';
import { openInstallation } from '../stage/store.ts';
import { until } from '../stage/until.ts';
import type { PatroniMember } from './member.ts';
import type { PopulatedCluster } from './populated.ts';

/** How a leader loses its role while its PostgreSQL and its clients go on. */
export type Lost = 'cut off' | 'Patroni frozen';

/** The number of log lines that an error has. */
const LOG_LINES = 30;

/** The number of changes after which the leader is lost. */
const CHANGES = 50;

/** A leader that was replaced while clients still reached it. Times are milliseconds after it was lost. */
export interface Replaced {
  readonly old: PatroniMember;
  /** When the new primary answered first. */
  readonly newAfterMs: number;
  /** When the old primary closed an open session; undefined if it has not yet. */
  readonly sessionEndedAfterMs: number | undefined;
  /** For each server, when it accepted last a token that the new primary revoked, after the acknowledgement. */
  readonly latenesses: readonly number[];
  /** Tokens of before and after that must be good. */
  readonly good: readonly IssuedToken[];
}

/**
 * Loses the leader under changes, which go on until there is a new one; then at once revokes a token at the new primary that
 * all servers have in memory. The caller heals the old leader.
 */
export async function replaceLeader(
  { cluster, population, settings }: PopulatedCluster,
  {
    nodes,
    ledger,
    lost,
  }: { readonly nodes: readonly ServerNode[]; readonly ledger: Ledger; readonly lost: Lost },
): Promise<Replaced> {
  const urls = nodes.map(({ url }) => `${url}${population.path}`);
  await Promise.all(nodes.map(untilItsReady));
  const [revoked, other] = await issueTwo(settings, population.email);
  for (const url of urls) await verdictOf(url, revoked.secret);

  const old = await cluster.leader();
  const session = await old.openSession();
  let sessionEndedAt: number | undefined;
  session.once('end', () => {
    sessionEndedAt = performance.now();
  });
  const already = ledger.counts.acknowledged;
  const changing = repeat(20, async () => {
    const token = await ledger.create();
    if (token) await ledger.revoke(token);
  });
  await until('there are changes', () => ledger.counts.acknowledged - already >= CHANGES);
  const since = performance.now();
  if (lost === 'cut off') cluster.cut(old, true);
  else old.freezePatroni();
  await cluster.untilLedElsewhere(old);
  const newAfterMs = performance.now() - since;
  await using after = openInstallation(settings);
  const admin = await adminOf(after, population.email);
  const latenesses = await latenessesOf(urls, revoked.secret, () => admin.revoke(revoked));
  await changing.stop();
  const good = [other, await admin.issue()];
  const sessionEndedAfterMs = sessionEndedAt === undefined ? undefined : sessionEndedAt - since;
  await session.end().catch(() => undefined);
  return {
    old,
    newAfterMs,
    sessionEndedAfterMs,
    latenesses,
    good,
  };
}

async function issueTwo(settings: Settings, email: string): Promise<readonly [IssuedToken, IssuedToken]> {
  await using store = openInstallation(settings);
  const admin = await adminOf(store, email);
  return [await admin.issue(), await admin.issue()];
}

/** Like `untilReady`, but the error says what the server said and logged. */
async function untilItsReady({ opsUrl, log }: ServerNode): Promise<void> {
  try {
    await untilReady(opsUrl);
  } catch (error) {
    const answer = await fetch(`${opsUrl}/ready`).then(
      (response) => response.text(),
      (reason) => String(reason),
    );
    throw new Error(`${error}: ${answer}\n${log.slice(-LOG_LINES).join('\n')}`);
  }
}
