import { actorOf, type Operator, type Principal } from '../../access/index.ts';
import { parseAccountId } from '../../accounts/account.ts';
import type { Ports } from '../../ports.ts';
import { keyEvent } from '../../signing-keys/key-events.ts';
import { parseKeyId } from '../../signing-keys/signing-key.ts';
import { parseTokenId, type Revocation } from '../../tokens/token.ts';
import { tokenRevoked } from '../../tokens/token-events.ts';
import { parseUserId } from '../../users/user.ts';
import { eventBy, eventOf } from '../event-by.ts';
import type { LostChange } from './lost-changes.ts';

export type ReapplyPorts = Ports<'tokens' | 'users' | 'accounts' | 'signingKeys' | 'clock'>;

/** What became of a change: `unknown` where the database does not have what it changed. */
export type Reapplied = 'done' | 'already' | 'unknown' | 'last_admin' | 'key_active';

/** Makes a change again, with the caller as its actor and the reason that it had. */
export function makeChangeAgain(
  { tokens, users, accounts, signingKeys, clock }: ReapplyPorts,
  caller: Principal | Operator,
) {
  function revocationFor(reason: string | null): Revocation {
    const said = reason === null ? 'again after a restore' : `again after a restore: ${reason}`;
    return { at: clock.now(), by: actorOf(caller), reason: said };
  }

  async function revokeToken({
    id: text,
    reason,
  }: Extract<LostChange, { kind: 'token' }>): Promise<Reapplied> {
    const id = parseTokenId(text);
    const token = id && (await tokens.findRecord(id));
    if (!token) return 'unknown';
    if (token.revocation) return 'already';
    const revocation = revocationFor(reason);
    const revoked = await tokens.revoke(
      token.id,
      revocation,
      eventBy(caller, tokenRevoked(token, revocation)),
    );
    return revoked.ok ? outcomeOf(revoked.value) : 'unknown';
  }

  /** The tokens go to whom they went to, if that user can have them, and are revoked otherwise. */
  async function disableUser(change: Extract<LostChange, { kind: 'user' }>): Promise<Reapplied> {
    const id = parseUserId(change.id);
    const user = id && (await users.findById(id));
    // Another user may have got the id since the restore.
    if (!user || user.email !== change.email) return 'unknown';
    if (user.disabledAt !== null) return 'already';
    const { tokensTo } = change;
    const target = tokensTo === null ? undefined : await users.findByEmail(tokensTo);
    const revocation = revocationFor(change.reason);
    const disable = async (transferTo: typeof target) => {
      const details = {
        email: user.email,
        reason: revocation.reason,
        ...(transferTo && { tokens_to: transferTo.email }),
      };
      const event = eventBy(caller, eventOf(revocation.at, 'user.disabled', user, details));
      return users.disable(
        user.id,
        revocation,
        event,
        transferTo && { transferTo: transferTo.id, renameTaken: true },
      );
    };
    let disabled = await disable(target);
    if (!disabled.ok && disabled.error.code === 'transfer_target_not_fit')
      disabled = await disable(undefined);
    if (disabled.ok) return outcomeOf(disabled.value);
    return disabled.error.code === 'last_admin' ? 'last_admin' : 'unknown';
  }

  async function suspendAccount(change: Extract<LostChange, { kind: 'account' }>): Promise<Reapplied> {
    const id = parseAccountId(change.id);
    const account = id && (await accounts.findById(id));
    if (!account || account.name !== change.name) return 'unknown';
    const { at, reason } = revocationFor(change.reason);
    const event = eventOf(
      at,
      'account.suspended',
      { id: account.id, accountId: account.id },
      { name: account.name, reason },
    );
    const suspended = await accounts.suspend(account.id, at, eventBy(caller, event));
    return suspended.ok ? outcomeOf(suspended.value) : 'unknown';
  }

  /** The tokens that it signed end with it. */
  async function retireKey({ id: text }: Extract<LostChange, { kind: 'key' }>): Promise<Reapplied> {
    const id = parseKeyId(text);
    const key = id && (await signingKeys.findById(id));
    if (!key) return 'unknown';
    if (key.state === 'retired') return 'already';
    const revocation = revocationFor('signing key retired');
    const event = keyEvent(caller, revocation.at, 'key.retired', key);
    const retired = await signingKeys.retire(key.id, revocation.at, revocation, event);
    return retired.ok ? 'done' : 'key_active';
  }

  return (change: LostChange): Promise<Reapplied> => {
    switch (change.kind) {
      case 'token':
        return revokeToken(change);
      case 'user':
        return disableUser(change);
      case 'account':
        return suspendAccount(change);
      case 'key':
        return retireKey(change);
    }
  };
}

function outcomeOf({ already }: { readonly already: boolean }): Reapplied {
  return already ? 'already' : 'done';
}
