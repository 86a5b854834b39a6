import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { err, ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import { type KeyReport, reportKey } from './key-report.ts';
import type { ListKeysPorts } from './list-keys.ts';
import { NO_LIVE_TOKENS } from './live-tokens.ts';
import type { KeyId } from './signing-key.ts';
import type { KeyNotFound } from './signing-key-repository.ts';

export interface UsedKeyReport extends KeyReport {
  /** When one of its live tokens was last used; null if none ever was. */
  readonly lastUsedAt: Instant | null;
}

/** What retiring this key would end. */
export type ShowKey = (
  caller: Caller,
  id: KeyId,
) => Promise<Result<UsedKeyReport, AccessDenied | KeyNotFound>>;

export function showKey({ signingKeys, clock }: ListKeysPorts): ShowKey {
  return async (caller, id) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    const key = await signingKeys.findById(id);
    if (!key) return err({ code: 'key_not_found' });
    const at = clock.now();
    const live = (await signingKeys.countLiveTokens(at)).get(id) ?? NO_LIVE_TOKENS;
    const lastUsedAt = live.count === 0 ? null : await signingKeys.findLastUse(id, at);
    return ok({ ...reportKey(key, live, at), lastUsedAt });
  };
}
