import type { AuditEvent } from '../../src/audit/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { isLive, type Token, tokenTransferred } from '../../src/tokens/index.ts';
import type { TransferNamesTaken, TransferTargetNotFit, User, UserId } from '../../src/users/index.ts';
import type { State } from './state.ts';

export interface Transfer {
  readonly from: User;
  readonly to: UserId;
}

export function refuseTransfer(
  state: State,
  { from, to }: Transfer,
  at: Instant,
): TransferTargetNotFit | TransferNamesTaken | undefined {
  const target = state.users.get(to);
  const fit =
    target?.accountId === from.accountId &&
    target.id !== from.id &&
    target.role === 'admin' &&
    target.disabledAt === null;
  if (!fit) return { code: 'transfer_target_not_fit' };
  const taken = namesOf(state, to, at);
  const names = [...namesOf(state, from.id, at)].filter((name) => taken.has(name)).sort();
  return names.length > 0 ? { code: 'transfer_names_taken', names } : undefined;
}

/** Gives away what is good, and answers how many those were. */
export function transferTokens(state: State, { from, to }: Transfer, event: AuditEvent): number {
  const { actor, origin, at } = event;
  const moving = apiTokensOf(state, from.id).filter((token) => isLive(token, at));
  for (const token of moving) {
    state.tokens.set(token.id, { ...token, userId: to });
    state.events.push({ ...tokenTransferred(token, { at, to }), actor, origin });
  }
  return moving.length;
}

function apiTokensOf(state: State, userId: UserId): readonly Token[] {
  return [...state.tokens.values()].filter((token) => token.kind === 'api' && token.userId === userId);
}

/** A token that was replaced leaves its name to its successor. */
function namesOf(state: State, userId: UserId, at: Instant): ReadonlySet<string> {
  const holders = apiTokensOf(state, userId).filter(
    (token) => token.replacedAt === null && isLive(token, at),
  );
  return new Set(holders.map(({ name }) => name));
}
