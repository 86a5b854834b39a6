import { authorized, INTROSPECT_TOKENS, type NarrowScope, type ServiceCaller } from '../access/index.ts';
import type { DatabaseServer } from '../changes/change-feed.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { type TokenCaller, tokenCaller, verifyToken } from '../tokens/authentication/authenticate-token.ts';
import { isOutside } from '../tokens/networks/token-networks.ts';
import { isRecordRefusal } from '../tokens/refusal-reasons.ts';
import type { UsageRecorder } from '../tokens/usage/token-usage.ts';
import { acceptedCredential } from './authenticate-service.ts';
import { grantedScopes } from './granted-scopes.ts';
import { type Conditions, conditionsFor, understands, willRefuse } from './understood-conditions.ts';

interface IntrospectTokenPorts
  extends Ports<'signers' | 'keys' | 'clock' | 'issuer' | 'onBehalf' | 'introspection'> {
  readonly usage: Pick<UsageRecorder, 'used' | 'refused' | 'usedOutside'>;
}

interface IntrospectTokenInput {
  readonly token: string;
  /** The IP address of the client that sent the token to the service; undefined if the service does not say it. */
  readonly clientAddress?: string | undefined;
  /** The conditions that the service decides by itself. Default: none. */
  readonly conditions?: readonly string[] | undefined;
}

/** An accepted token, with the scopes that it has at the service that asks. */
export interface ActiveToken {
  readonly caller: TokenCaller;
  /** At least one scope. */
  readonly scopes: readonly NarrowScope[];
  /** The conditions that the service has to decide about each request; undefined if there are none. */
  readonly conditions?: Conditions | undefined;
  /** The database server that was read; undefined if it cannot be found out. */
  readonly database: DatabaseServer | undefined;
}

const INACTIVE = ok(undefined);

/**
 * Decides for a service whether it may accept a token (RFC 7662). Returns undefined if it may not, for whatever reason,
 * also if the token has no scope of the service. No cache answers the read of the records. If the signature of the
 * token is not valid, no records are read. An accepted token counts as used at the service, unless the service will
 * refuse the client's address. A token with networks is active only for a service that declares that it decides them.
 */
export const introspectToken = authorized(
  INTROSPECT_TOKENS,
  ({ introspection, usage, onBehalf, clock, issuer, ...ports }: IntrospectTokenPorts) =>
    async (asking: ServiceCaller, { token, clientAddress, conditions = [] }: IntrospectTokenInput) => {
      const verified = await verifyToken(ports, token);
      if ('reason' in verified) return INACTIVE;

      const { tokenId } = verified.claims;
      const found = await onBehalf.ofService(asking.service, () =>
        introspection.find(asking.credential, tokenId),
      );
      const now = clock.now();
      const accepted = acceptedCredential(found.service, asking.credential, now);
      // The credential was accepted from memory, but has ended by now.
      if (!accepted) return err({ code: 'token_not_accepted' });

      const caller = tokenCaller(verified, found.tokens[0], { issuer, now, origin: asking.origin });
      if (caller.kind === 'refused') {
        if (isRecordRefusal(caller.reason)) usage.refused(tokenId, now, caller.reason);
        return INACTIVE;
      }
      const { service } = accepted;
      const scopes = grantedScopes(service, caller.token);
      if (scopes.length === 0) {
        usage.refused(tokenId, now, 'insufficient_scope');
        return INACTIVE;
      }
      const { networks } = caller.token;
      if (!understands(conditions, caller.token)) {
        usage.refused(tokenId, now, 'network_not_allowed');
        return INACTIVE;
      }
      if (willRefuse(caller.token, clientAddress)) usage.refused(tokenId, now, 'network_not_allowed');
      else usage.used(tokenId, now, undefined, { name: service.name, from: clientAddress });
      if (
        networks?.mode === 'report-only' &&
        clientAddress !== undefined &&
        isOutside(networks, clientAddress)
      )
        usage.usedOutside(tokenId, now, clientAddress);
      const told = conditionsFor(conditions, caller.token);
      return ok<ActiveToken>({ caller, scopes, conditions: told, database: found.database });
    },
);
