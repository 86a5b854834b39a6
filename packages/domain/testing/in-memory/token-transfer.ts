import type { AuditEvent } from '../../src/audit/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { isLive, type Token, tokenTransferred } from '../../src/tokens/index.ts';
import type {
  RenamedToken,
  TransferRaisesRights,
  TransferTargetNotFit,
  User,
  UserId,
} from '../../src/users/index.ts';
import { canReceiveTokens, raisesRights, renamesForTransfer } from '../../src/users/index.ts';
import type { State } from './state.ts';

export interface Transfer {
  readonly from: User;
  readonly to: UserId;
}

export function refuseTransfer(
  state: State,
  { from, to }: Transfer,
  event: AuditEvent,
): TransferTargetNotFit | TransferRaisesRights | undefined {
  if (!canReceiveTokens(from, state.users.get(to))) return { code: 'transfer_target_not_fit' };
  return raisesRights(from, event) ? { code: 'transfer_raises_rights' } : undefined;
}

export function renamesOf(state: State, { from, to }: Transfer, at: Instant): readonly RenamedToken[] {
  return renamesForTransfer(namesOf(state, from.id, at), namesOf(state, to, at));
}

/** Transfers the live API tokens of one user to another, and returns their number. */
export function transferTokens(
  state: State,
  { from, to }: Transfer,
  renamed: readonly RenamedToken[],
  { actor, origin, at }: AuditEvent,
): number {
  const names = new Map(renamed.map(({ before, after }) => [before, after]));
  const moving = apiTokensOf(state, from.id).filter((token) => isLive(token, at));
  for (const token of moving) {
    const name = names.get(token.name) ?? token.name;
    state.tokens.set(token.id, { ...token, userId: to, name });
    state.events.push({ ...tokenTransferred(token, { at, to, name }), actor, origin });
  }
  return moving.length;
}

function apiTokensOf(state: State, userId: UserId): readonly Token[] {
  return [...state.tokens.values()].filter((token) => token.kind === 'api' && token.userId === userId);
}

/** A replaced token gives its name to its successor. */
function namesOf(state: State, userId: UserId, at: Instant): readonly string[] {
  const holders = apiTokensOf(state, userId).filter(
    (token) => token.replacedAt === null && isLive(token, at),
  );
  return holders.map(({ name }) => name);
}
