import type { DomainError, Result } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import type { TokenId, TokenReport } from '@gatehouse/domain/tokens';
import type { Gatehouse } from '../../cli.ts';
import type { PastedToken } from '../../input/pasted-tokens.ts';

/** A token that somebody wants revoked, and what is known of it: in the end, what came of it. */
export interface RevokeTarget {
  /** How it was named: never by the token itself. */
  readonly named: { readonly id: TokenId } | { readonly line: number };
  readonly outcome: Result<TokenReport, DomainError>;
}

export async function findTokens(
  gatehouse: Gatehouse,
  caller: Principal,
  ids: readonly TokenId[],
): Promise<readonly RevokeTarget[]> {
  const targets: RevokeTarget[] = [];
  for (const id of ids) targets.push({ named: { id }, outcome: await gatehouse.showToken(caller, id) });
  return targets;
}

/** Of lines with the same token the first counts. */
export async function identifyTokens(
  gatehouse: Gatehouse,
  caller: Principal,
  pasted: readonly PastedToken[],
): Promise<readonly RevokeTarget[]> {
  const targets: RevokeTarget[] = [];
  const seen = new Set<string>();
  for (const { line, text } of pasted) {
    const outcome = await gatehouse.identifyToken(caller, text);
    const identity = outcome.ok ? outcome.value.grant.token.id : text;
    if (!seen.has(identity)) targets.push({ named: { line }, outcome });
    seen.add(identity);
  }
  return targets;
}

/** How a person finds it again among what was asked for. */
export function nameOf({ named, outcome }: RevokeTarget): string {
  if ('id' in named) return named.id;
  return outcome.ok ? `line ${named.line} (${outcome.value.grant.token.id})` : `line ${named.line}`;
}
