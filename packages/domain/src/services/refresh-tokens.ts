import { authorized, INTROSPECT_TOKENS, type ServiceCaller } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { recordCaller } from '../tokens/authentication/authenticate-token.ts';
import type { TokenId } from '../tokens/token.ts';
import { acceptedCredential } from './authenticate-service.ts';
import { grantedScopes } from './granted-scopes.ts';
import type { ActiveToken } from './introspect-token.ts';
import { conditionsFor, understands } from './understood-conditions.ts';

/** The largest number of tokens that are refreshed together. */
export const MAX_REFRESHED = 200;

/**
 * Decides again, by their ids, on tokens that a service has introspected before. Returns one result for each id, in the
 * same order; undefined if the service may not accept the token. A token whose use at the service is not stored counts
 * as such, so that a stolen credential learns nothing by ids. Nothing counts as a use, because no client sent a token.
 */
export const refreshTokens = authorized(
  INTROSPECT_TOKENS,
  ({ introspection, onBehalf, clock }: Ports<'introspection' | 'onBehalf' | 'clock'>) =>
    async (asking: ServiceCaller, ids: readonly TokenId[], conditions: readonly string[] = []) => {
      const found = await onBehalf.ofRefresh(asking.service, () =>
        introspection.findUsed(asking.credential, ids),
      );
      const now = clock.now();
      const accepted = acceptedCredential(found.service, asking.credential, now);
      // The credential was accepted from memory, but has ended by now.
      if (!accepted) return err({ code: 'token_not_accepted' });
      const records = new Map(found.tokens.map((record) => [record.id, record]));
      return ok(ids.map((id) => activeToken(id)));

      function activeToken(id: TokenId): ActiveToken | undefined {
        const record = records.get(id);
        if (!record || !accepted) return undefined;
        const caller = recordCaller(record, { now, origin: asking.origin });
        const scopes = grantedScopes(accepted.service, record);
        if (caller.kind === 'refused' || scopes.length === 0) return undefined;
        if (!understands(conditions, record)) return undefined;
        return { caller, scopes, conditions: conditionsFor(conditions, record), database: found.database };
      }
    },
);
