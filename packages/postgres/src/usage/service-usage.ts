import type { CredentialId, ServiceName } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import { addressOfUse, type TokenId, type UsedService } from '@gatehouse/domain/tokens';
import type { Queries } from '../database/schema.ts';
import { storeCredentialUses, storeServiceUses } from './service-use-records.ts';

/** The first and the last use of a token at a service, not stored yet. */
export interface PendingServiceUse {
  readonly token: TokenId;
  readonly service: ServiceName;
  readonly firstAt: Instant;
  readonly at: Instant;
  readonly from: string | null;
}

/** The maximum number of uses that wait while the database is unavailable. Further tokens are not recorded. */
const MAX_WAITING = 100_000;

/** The number of uses that one statement stores. */
const BATCH_SIZE = 1_000;

/** The least time between two stored uses of a credential, in milliseconds. */
const CREDENTIAL_INTERVAL_MS = 60_000;

/** Collects the last uses of tokens at services, and of the credentials of services, until they are stored. */
export function createServiceUsage(queries: Queries) {
  const uses = new Map<string, PendingServiceUse>();
  const credentials = new Map<CredentialId, Instant>();
  const storedCredentials = new Map<CredentialId, Instant>();

  return {
    used(token: TokenId, at: Instant, { name: service, from }: UsedService): void {
      const key = `${token} ${service}`;
      const before = uses.get(key);
      if (before === undefined && uses.size >= MAX_WAITING) return;
      const firstAt = before && before.firstAt < at ? before.firstAt : at;
      if (before && before.at > at) uses.set(key, { ...before, firstAt });
      else uses.set(key, { token, service, firstAt, at, from: storedAddress(from) });
    },

    /** Returns whether the use is to be stored. It is not if the credential was used within the last minute. */
    usedCredential(id: CredentialId, at: Instant): boolean {
      if (at - (storedCredentials.get(id) ?? 0) < CREDENTIAL_INTERVAL_MS) return false;
      storedCredentials.set(id, at);
      credentials.set(id, at);
      return true;
    },

    isWaiting: () => uses.size + credentials.size > 0,

    /** Stores all uses, and returns whether there were any. Uses that cannot be stored wait for the next call. */
    async store(): Promise<boolean> {
      const isWaiting = uses.size + credentials.size > 0;
      for (const batch of inBatches([...uses.values()])) {
        await storeServiceUses(queries, batch);
        // A use that was recorded meanwhile is not stored yet.
        for (const use of batch) {
          const key = `${use.token} ${use.service}`;
          if (uses.get(key) === use) uses.delete(key);
        }
      }
      if (credentials.size === 0) return isWaiting;
      const taken = [...credentials];
      await storeCredentialUses(queries, taken);
      for (const [id, at] of taken) if (credentials.get(id) === at) credentials.delete(id);
      return isWaiting;
    },
  };
}

/** Returns a client's address as it is stored; null if it is unknown. */
export const storedAddress = (from: string | undefined) => (from !== undefined && addressOfUse(from)) || null;

function* inBatches(uses: readonly PendingServiceUse[]) {
  for (let from = 0; from < uses.length; from += BATCH_SIZE) yield uses.slice(from, from + BATCH_SIZE);
}
