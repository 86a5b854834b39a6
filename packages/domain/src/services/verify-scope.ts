import {
  type AccessDenied,
  authorize,
  type NarrowScope,
  type RefusedCaller,
  VERIFY_SCOPES,
} from '../access/index.ts';
import { type Awaitable, andThen } from '../awaitable.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { TokenCaller } from '../tokens/authentication/authenticate-token.ts';
import type { UsageRecorder } from '../tokens/usage/token-usage.ts';
import { grantedScopes } from './granted-scopes.ts';
import { type Service, serviceOf } from './service.ts';

/** A token that may act at a service, with all scopes that it has there. */
export interface VerifiedScope {
  readonly caller: TokenCaller;
  readonly scopes: readonly NarrowScope[];
}

export type VerifyScope = (
  caller: TokenCaller | RefusedCaller,
  scope: NarrowScope,
) => Awaitable<Result<VerifiedScope, AccessDenied>>;

/**
 * Decides for a gateway whether the caller's token has a scope of a service. A scope that no service has is refused like
 * one that the token lacks, so that a scope that is removed refuses requests and breaks no gateway. An accepted token
 * counts as used at the service; the caller's authentication must not record the use as well.
 */
export function verifyScope({
  services,
  usage,
}: Ports<'services'> & { readonly usage: Pick<UsageRecorder, 'used'> }): VerifyScope {
  return (caller, scope) => {
    const allowed = authorize(caller, VERIFY_SCOPES);
    if (!allowed.ok) return allowed;
    return andThen(services.list(), (all) => {
      const service = serviceNamed(all, scope);
      const { token, acceptedAt, origin } = allowed.value;
      const scopes = service ? grantedScopes(service, token) : [];
      if (!service || !scopes.includes(scope)) return err({ code: 'insufficient_scope', scope });
      usage.used(token.id, acceptedAt, origin, { name: service.name, from: origin });
      return ok({ caller: allowed.value, scopes });
    });
  };
}

const serviceNamed = (all: readonly Service[], scope: NarrowScope) =>
  all.find(({ name }) => name === serviceOf(scope));
