import { ok } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import type { TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../../cli.ts';
import type { Tools } from '../../described/description.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { Refused } from '../../errors/refusals.ts';
import { write } from '../../output/write.ts';
import { nameOf, type RevokeTarget } from './revoke-targets.ts';

interface Revoking extends Pick<Tools, 'cli' | 'printer'> {
  readonly gatehouse: Gatehouse;
  readonly caller: Principal;
  readonly reason: string | null;
}

/**
 * Revokes one token after another, and continues after a refusal; returns each outcome. A fault or an interrupt ends
 * it; with several tokens, standard error then says which were revoked.
 */
export async function revokeAll(by: Revoking, targets: readonly RevokeTarget[]) {
  const { signal, streams } = by.cli;
  const givenUp = afterInterrupt(signal);
  const done: RevokeTarget[] = [];
  for (const target of targets) {
    const { named, outcome } = target;
    let begun = false;
    try {
      if (signal.aborted) throw new Interrupted();
      begun = outcome.ok;
      done.push(
        outcome.ok ? { named, outcome: await Promise.race([revoke(by, outcome.value), givenUp]) } : target,
      );
    } catch (error) {
      // The summary is printed at once, because closing a connection to a database that does not respond takes time.
      const summary = summaryOf(done, targets.slice(done.length), begun);
      if (targets.length > 1) await write(streams.stderr, summary).catch(() => undefined);
      throw error;
    }
  }
  return done;
}

async function revoke({ gatehouse, caller, printer, reason }: Revoking, report: TokenStatus) {
  const { id } = report;
  const revoked = await gatehouse.revokeToken(caller, { id, reason });
  if (!revoked.ok) {
    // The reason is the same for all tokens, so each would be refused.
    if (revoked.error.code === 'invalid_input') throw new Refused(revoked.error);
    return revoked;
  }
  const { already, token } = revoked.value;
  const { name, revocation } = token;
  await printer.note(
    already
      ? `Token "${name}" (${id}) was already revoked at ${shortTime(revocation?.at ?? null)}.`
      : `Revoked token "${name}" (${id}).`,
  );
  return ok({ ...report, ...token, state: 'revoked' as const });
}

/** Longest wait for the current revocation after an interrupt, in milliseconds; less than the process waits. */
const LAST_WAIT_MS = 500;

function afterInterrupt(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const giveUp = () => setTimeout(reject, LAST_WAIT_MS, new Interrupted()).unref();
  signal.addEventListener('abort', giveUp, { once: true });
  return promise;
}

function summaryOf(done: readonly RevokeTarget[], open: readonly RevokeTarget[], begun: boolean): string {
  const parts = {
    Revoked: done.filter(({ outcome }) => outcome.ok),
    'Possibly revoked': open.slice(0, begun ? 1 : 0),
    'Not revoked': [...done.filter(({ outcome }) => !outcome.ok), ...open.slice(begun ? 1 : 0)],
  };
  const lines = Object.entries(parts).flatMap(([what, targets]) =>
    targets.length === 0 ? [] : `${what}: ${targets.map(nameOf).join(', ')}.\n`,
  );
  return lines.join('');
}
