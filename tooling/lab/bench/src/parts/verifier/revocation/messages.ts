import type { TokenId } from '@gatehouse/domain/tokens';

/** How a process of verifiers is started, as one argument of JSON. */
export interface VerifiersPlan {
  /** The servers, which the verifiers follow in turn. */
  readonly urls: readonly string[];
  readonly credential: string;
  readonly scope: string;
  /** A token that is never revoked. Every verifier checks it all the time. */
  readonly steady: string;
  readonly verifiers: number;
}

/** A message to a process of verifiers. */
export type VerifiersOrder =
  /** Ask about this token, then check it until it is refused. */
  | { readonly watch: TokenId; readonly token: string }
  /** Report the counts, and begin to count anew. */
  | { readonly count: true };

/** A message from a process of verifiers. */
export type VerifiersReport =
  /** All verifiers remember their tokens: the steady one, or the one that is watched. */
  | { readonly ready: TokenId | 'steady' }
  /** All verifiers refuse the watched token. The last of them accepted it at that time, by `steadyTime`. */
  | { readonly refused: TokenId; readonly last: number }
  | { readonly counts: CheckCount };

/** The checks of the steady token by all verifiers of a process. */
export interface CheckCount {
  readonly checks: number;
  /** Those that were not decided from memory. */
  readonly undecided: number;
  /** How many checks found knowledge of each age, in whole milliseconds. The last one counts all older knowledge as well. */
  readonly ages: readonly number[];
  /** How late timers of the process were, 99 % of them (p99), in milliseconds: a busy machine stops everything now and then. */
  readonly timersLateMs: number;
}
