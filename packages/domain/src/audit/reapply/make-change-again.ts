import { actorOf, type Operator, type Principal } from '../../access/index.ts';
import { parseAccountId } from '../../accounts/account.ts';
import { accountEvent } from '../../accounts/manage-accounts.ts';
import { refuseWhileOlder } from '../../editions/refuse-while-older.ts';
import { parseInvitationId } from '../../links/invitation.ts';
import { invitationRevoked } from '../../links/manage-invitations.ts';
import type { Ports } from '../../ports.ts';
import { keyEvent } from '../../signing-keys/key-events.ts';
import { parseKeyId } from '../../signing-keys/signing-key.ts';
import { formatInstant } from '../../time/instant.ts';
import { parseTokenNetworks } from '../../tokens/networks/token-networks.ts';
import { parseTokenId, type Revocation } from '../../tokens/token.ts';
import { tokenNetworksSet, tokenRevoked } from '../../tokens/token-events.ts';
import { userDisabled } from '../../users/change-users.ts';
import { parseUserId, type User } from '../../users/user.ts';
import { eventBy, eventOf } from '../event-by.ts';
import type { LostChange } from './lost-changes.ts';

export type ReapplyPorts = Ports<
  | 'tokens'
  | 'tokenNetworks'
  | 'users'
  | 'identities'
  | 'accounts'
  | 'signingKeys'
  | 'invitations'
  | 'editions'
  | 'clock'
>;

/**
 * The outcome of making a change again. `already`: the database already had the change, or has no such open
 * invitation, or the token has ended. `unknown`: the database does not have the subject of the change. `last_admin`,
 * `key_active` or `older_edition`: the user is now the last admin, the key is now the active key, or a program that
 * would not obey the networks is connected, so the change is refused.
 */
export type Reapplied = 'done' | 'already' | 'unknown' | 'last_admin' | 'key_active' | 'older_edition';

/**
 * Returns a function that makes a change again. The caller becomes the actor of the change, and the reason contains the
 * original reason.
 */
export function makeChangeAgain(ports: ReapplyPorts, caller: Principal | Operator) {
  const { tokens, tokenNetworks, users, identities, accounts, signingKeys, invitations, editions, clock } =
    ports;

  function revocationFor(original: string | null): Revocation {
    const reason = original === null ? 'again after a restore' : `again after a restore: ${original}`;
    return { at: clock.now(), by: actorOf(caller), reason };
  }

  const make: Makers = {
    async token({ id: text, reason }) {
      const id = parseTokenId(text);
      const token = id && (await tokens.findRecord(id));
      if (!token) return 'unknown';
      if (token.revocation) return 'already';
      const revocation = revocationFor(reason);
      const event = eventBy(caller, tokenRevoked(token, revocation));
      const revoked = await tokens.revoke(token.id, revocation, event);
      return revoked.ok ? outcomeOf(revoked.value) : 'unknown';
    },

    /** Limits the token to the networks that it had last. */
    async networks({ id: text, networks: list }) {
      const id = parseTokenId(text);
      const networks = parseTokenNetworks({ mode: 'enforced', list });
      if (!id || !networks.ok) return 'unknown';
      if (!(await refuseWhileOlder({ editions })).ok) return 'older_edition';
      const at = clock.now();
      const set = await tokenNetworks.set(id, networks.value, at, (before, after) =>
        eventBy(caller, tokenNetworksSet(before, after, at)),
      );
      if (set.ok) return outcomeOf({ already: set.value.before === set.value.after });
      return set.error.code === 'networks_not_settable' ? 'already' : 'unknown';
    },

    /**
     * Transfers the user's tokens to the same user as the original change did. If that user cannot have them now,
     * revokes them. Service accounts for which the user answered are left: those that were disabled too have events of
     * their own.
     */
    async user({ id: text, email, reason, tokensTo, createdAt }) {
      const id = parseUserId(text);
      const user = id && (await users.findById(id));
      // After the restore, another user may have been created with the same id.
      if (!user || user.email !== email) return 'unknown';
      // A service account has its id as its address.
      if (user.kind === 'service' && formatInstant(user.createdAt) !== createdAt) return 'unknown';
      if (user.disabledAt !== null) return 'already';
      const revocation = revocationFor(reason);
      const disable = (target: User | undefined) => {
        const event = userDisabled(user, { ...revocation, target });
        const options = { transferTo: target?.id, renameTaken: true, serviceAccounts: 'leave' } as const;
        return users.disable(user.id, revocation, eventBy(caller, event), options);
      };
      let disabled = await disable(tokensTo === null ? undefined : await users.findByEmail(tokensTo));
      if (!disabled.ok && disabled.error.code === 'transfer_target_not_fit')
        disabled = await disable(undefined);
      if (disabled.ok) return outcomeOf(disabled.value);
      return disabled.error.code === 'last_admin' ? 'last_admin' : 'unknown';
    },

    /** Unlinks exactly this identity, even if the user has no password: the backup would let the person in. */
    async identity({ id: text, email, issuer, subject }) {
      const id = parseUserId(text);
      const user = id && (await users.findById(id));
      if (!user || user.email !== email) return 'unknown';
      if ((await identities.findUser({ issuer, subject })) !== user.id) return 'already';
      const { at, reason } = revocationFor(null);
      const target = { userId: user.id, issuer, mayLackPassword: true };
      const unlinked = await identities.unlink(target, (owner) =>
        eventBy(caller, eventOf(at, 'user.unlinked', owner, { email, issuer, subject, reason })),
      );
      return unlinked.ok ? 'done' : 'already';
    },

    async account({ id: text, name, reason: original }) {
      const id = parseAccountId(text);
      const account = id && (await accounts.findById(id));
      if (!account || account.name !== name) return 'unknown';
      const { at, reason } = revocationFor(original);
      const event = accountEvent(at, 'account.suspended', account, { reason });
      const suspended = await accounts.suspend(account.id, at, eventBy(caller, event));
      return suspended.ok ? outcomeOf(suspended.value) : 'unknown';
    },

    /** Retires the key, and revokes the tokens that the key signed. */
    async key({ id: text }) {
      const id = parseKeyId(text);
      const key = id && (await signingKeys.findById(id));
      if (!key) return 'unknown';
      if (key.state === 'retired') return 'already';
      const revocation = revocationFor('signing key retired');
      const event = keyEvent(caller, revocation.at, 'key.retired', key);
      const retired = await signingKeys.retire(key.id, revocation.at, revocation, event);
      return retired.ok ? 'done' : 'key_active';
    },

    /** Invitations that ended are deleted, so one that is not open cannot be told from one that never was. */
    async invitation({ id: text, reason: original }) {
      const id = parseInvitationId(text);
      const { at, reason } = revocationFor(original);
      const revoked =
        id &&
        (await invitations.revoke(id, { at }, (before) =>
          eventBy(caller, invitationRevoked(before, { at, reason })),
        ));
      return revoked?.ok ? 'done' : 'already';
    },
  };

  // TypeScript does not know that `make[change.kind]` is the function for changes of this kind.
  return (change: LostChange) => (make[change.kind] as (change: LostChange) => Promise<Reapplied>)(change);
}

type Makers = {
  readonly [Kind in LostChange['kind']]: (
    change: Extract<LostChange, { readonly kind: Kind }>,
  ) => Promise<Reapplied>;
};

function outcomeOf({ already }: { readonly already: boolean }): Reapplied {
  return already ? 'already' : 'done';
}
