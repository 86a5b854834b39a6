import { type DomainError, ok, type Result } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import { parseTokenId, type ReferencedToken, type TokenId, type TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../../cli.ts';
import type { Tools } from '../../described/description.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { Refused, refusal, unwrap } from '../../errors/refusals.ts';
import type { PastedToken } from '../../input/pasted-tokens.ts';
import { quote } from '../../output/printable.ts';
import type { Printer } from '../../output/printer.ts';
import { write } from '../../output/write.ts';
import { tokenView } from '../../views/token-view.ts';

/** A token to revoke. `outcome` first says whether the token was found, and later whether it was revoked. */
interface RevokeTarget {
  /** The id or name that the user typed; never the token itself. */
  readonly named: { readonly id: TokenId } | { readonly name: string } | { readonly line: number };
  readonly outcome: Result<TokenStatus & Partial<Pick<ReferencedToken, 'alsoLive'>>, DomainError>;
}

interface Given {
  readonly references: readonly string[];
  readonly pasted: readonly PastedToken[];
  /** Whether to also revoke the tokens of the same rotation that still work. */
  readonly both: boolean;
}

/**
 * Finds the tokens with these ids or names, and the pasted tokens. If several references name one token, keeps the
 * first.
 */
export async function findTargets(
  gatehouse: Gatehouse,
  caller: Principal,
  { references, pasted, both }: Given,
): Promise<readonly RevokeTarget[]> {
  const targets = new Map<string, RevokeTarget>();
  const add = (given: string, target: RevokeTarget) => {
    const identity = target.outcome.ok ? target.outcome.value.id : given;
    if (!targets.has(identity)) targets.set(identity, target);
  };
  for (const reference of references) {
    const id = parseTokenId(reference);
    const named = id === undefined ? { name: reference } : { id };
    const outcome = await gatehouse.findTokenByReference(caller, reference);
    add(reference, { named, outcome });
    if (!both || !outcome.ok) continue;
    for (const other of outcome.value.alsoLive)
      add(other.id, { named: { id: other.id }, outcome: ok(other) });
  }
  for (const { line, text } of pasted) {
    add(text, { named: { line }, outcome: await gatehouse.identifyToken(caller, text) });
  }
  return [...targets.values()];
}

/** Names the target in messages. */
function nameOf({ named, outcome }: RevokeTarget): string {
  if ('id' in named) return named.id;
  const given = 'name' in named ? quote(named.name) : `line ${named.line}`;
  return outcome.ok ? `${given} (${outcome.value.id})` : given;
}

/**
 * Prints one JSON document if there is one target. For several targets, or with `asArray`, prints an array of
 * documents. Throws if any token was not found or not revoked.
 */
export async function printTargets(
  printer: Printer,
  targets: readonly RevokeTarget[],
  { asArray }: { readonly asArray: boolean },
): Promise<void> {
  const [only] = targets;
  if (only && targets.length === 1 && !(asArray && only.outcome.ok))
    return printer.document(tokenView.document(unwrap(only.outcome)));
  await printer.document(targets.map(documentOf));
  const failures = targets.flatMap((target) =>
    target.outcome.ok ? [] : [`${nameOf(target)}: ${refusal(target.outcome.error).message}`],
  );
  if (failures.length === 0) return;
  const summary = `${failures.length} of ${targets.length} tokens failed:`;
  throw new CommandError('someFailed', [summary, ...failures]);
}

function documentOf({ named, outcome }: RevokeTarget): object {
  if (outcome.ok) return tokenView.document(outcome.value);
  const { code } = outcome.error;
  return { ...named, error: { code, message: refusal(outcome.error).message } };
}

interface Revoking extends Pick<Tools, 'cli' | 'printer'> {
  readonly gatehouse: Gatehouse;
  readonly caller: Principal;
  readonly reason: string | null;
}

/**
 * Revokes one token after another, continues after a refusal, and returns each outcome. A fault or an interrupt ends
 * the loop; if there are several tokens, standard error then lists which were revoked and which were not.
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
    // The given reason is invalid. It is the same for all tokens, so the next ones would be refused as well.
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

/**
 * After an interrupt, how long the command waits for the revocation that is running, in milliseconds. The wait is
 * shorter than `GRACE_MS`, after which the process ends.
 */
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
