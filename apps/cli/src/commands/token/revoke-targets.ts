import { type DomainError, ok, type Result } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import { parseTokenId, type ReferencedToken, type TokenId, type TokenStatus } from '@gatehouse/domain/tokens';
import type { Gatehouse } from '../../cli.ts';
import { CommandError } from '../../errors/command-error.ts';
import { refusal, unwrap } from '../../errors/refusals.ts';
import type { PastedToken } from '../../input/pasted-tokens.ts';
import { quote } from '../../output/printable.ts';
import type { Printer } from '../../output/printer.ts';
import { tokenView } from '../../views/token-view.ts';

/** A token to revoke, and later the outcome of its revocation. */
export interface RevokeTarget {
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

/** Finds the tokens with these ids or names, and the pasted ones. Of several references to one token it uses the first. */
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
export function nameOf({ named, outcome }: RevokeTarget): string {
  if ('id' in named) return named.id;
  const given = 'name' in named ? quote(named.name) : `line ${named.line}`;
  return outcome.ok ? `${given} (${outcome.value.id})` : given;
}

/** Prints one document for one target unless `asArray`, an array for several. Throws if any failed. */
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
