import type { VerifiedScope } from '@gatehouse/domain/services';

/** Returns the headers with which a gateway tells a service who sent a request. All values are ASCII. */
export function toGatewayHeaders({ caller, scopes }: VerifiedScope) {
  return {
    'X-Gatehouse-User': String(caller.userId),
    'X-Gatehouse-Account': String(caller.accountId),
    'X-Gatehouse-Role': caller.role,
    'X-Gatehouse-Token': caller.token.id,
    'X-Gatehouse-Scopes': scopes.join(' '),
  };
}
