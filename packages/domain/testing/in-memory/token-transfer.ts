import type { AuditEvent } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Instant } from '../../src/time/index.ts';
import {
  isLive,
  rotationProblem,
  type Token,
  type TokenRepository,
  tokenTransferred,
} from '../../src/tokens/index.ts';
import type {
  RenamedToken,
  TokenTransfer,
  TransferRaisesRights,
  TransferTargetNotFit,
  User,
  UserId,
} from '../../src/users/index.ts';
import { renamesForTransfer, transferRefusal, transfers } from '../../src/users/index.ts';
import type { State } from './state.ts';
import { detailsOf } from './token-reading.ts';

export interface Transfer extends TokenTransfer {
  readonly from: User;
}

export function refuseTransfer(
  state: State,
  { from, to }: Transfer,
  event: AuditEvent,
): TransferTargetNotFit | TransferRaisesRights | undefined {
  return transferRefusal(from, state.users.get(to), event);
}

export function renamesOf(state: State, transfer: Transfer, at: Instant): readonly RenamedToken[] {
  const moving = holdersOf(state, transfer.from.id, at).filter((token) => transfers(transfer, token));
  const [names, taken] = [moving, holdersOf(state, transfer.to, at)].map((tokens) =>
    tokens.map(({ name }) => name),
  );
  return renamesForTransfer(names ?? [], taken ?? []);
}

/** Transfers live API tokens of one user to another, and returns their number. */
export function transferTokens(
  state: State,
  transfer: Transfer,
  renamed: readonly RenamedToken[],
  { actor, origin, at }: AuditEvent,
): number {
  const { from, to } = transfer;
  const names = new Map(renamed.map(({ before, after }) => [before, after]));
  const moving = apiTokensOf(state, from.id).filter(
    (token) => isLive(token, at) && transfers(transfer, token),
  );
  for (const token of moving) {
    const name = names.get(token.name) ?? token.name;
    state.tokens.set(token.id, { ...token, userId: to, name });
    state.events.push({ ...tokenTransferred(token, { at, to, name }), actor, origin });
  }
  return moving.length;
}

export function giveToken(state: State): TokenRepository['give'] {
  return async (id, to, at, audit) => {
    const token = state.tokens.get(id);
    if (!token) return err({ code: 'token_not_found' });
    const before = detailsOf(state, token);
    const event = audit(before);
    if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
    const predecessor = token.replaces ? state.tokens.get(token.replaces.tokenId) : undefined;
    const problem = rotationProblem(before, predecessor, at);
    if (problem) return err({ ...problem, code: 'token_not_updatable' });
    const refusal = transferRefusal(before.user, state.users.get(to), event);
    if (refusal) return err(refusal);
    if (holdersOf(state, to, at).some(({ name }) => name === token.name))
      return err({ code: 'token_name_taken' });
    const after = { ...token, userId: to };
    state.tokens.set(id, after);
    state.events.push(event);
    return ok({ before, after: detailsOf(state, after) });
  };
}

function apiTokensOf(state: State, userId: UserId): readonly Token[] {
  return [...state.tokens.values()].filter((token) => token.kind === 'api' && token.userId === userId);
}

/** The tokens that hold their names. A replaced token gives its name to its successor. */
const holdersOf = (state: State, userId: UserId, at: Instant) =>
  apiTokensOf(state, userId).filter((token) => token.replacedAt === null && isLive(token, at));
