import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { SigningKey } from './signing-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

export type ListKeys = (caller: Caller) => Promise<Result<readonly SigningKey[], AccessDenied>>;

export function listKeys({ signingKeys }: { readonly signingKeys: SigningKeyRepository }): ListKeys {
  return async (caller) => {
    const allowed = authorize(caller, 'keys:manage');
    return allowed.ok ? ok(await signingKeys.list()) : allowed;
  };
}
