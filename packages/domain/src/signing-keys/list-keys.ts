import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { type KeyReport, reportKey } from './key-report.ts';
import { NO_LIVE_TOKENS } from './live-tokens.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

export interface ListKeysPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
}

/** Every key in every state, oldest first, with the tokens that rest on it. */
export type ListKeys = (caller: Caller) => Promise<Result<readonly KeyReport[], AccessDenied>>;

export function listKeys({ signingKeys, clock }: ListKeysPorts): ListKeys {
  return async (caller) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    const at = clock.now();
    const [keys, live] = [await signingKeys.list(), await signingKeys.countLiveTokens(at)];
    return ok(keys.map((key) => reportKey(key, live.get(key.id) ?? NO_LIVE_TOKENS, at)));
  };
}
