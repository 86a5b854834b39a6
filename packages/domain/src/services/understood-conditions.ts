import { isOutside, type NetworkMode, networkTexts } from '../tokens/networks/token-networks.ts';
import type { TokenRecord } from '../tokens/token.ts';

/** The conditions that a service decides by itself about each request, because Gatehouse does not see the request. */
export const CONDITIONS = ['networks'] as const;

export type Condition = (typeof CONDITIONS)[number];

/**
 * Whether the service understands all conditions under which the token is refused. A service that does not understand
 * one would accept the token against it, now or from memory, so the token is inactive for it.
 */
export const understands = (
  declared: readonly string[],
  { networks }: Pick<TokenRecord, 'networks'>,
): boolean => networks?.mode !== 'enforced' || declared.includes('networks');

/** The conditions of a token as a service is told them. */
export interface Conditions {
  readonly networks?: { readonly mode: NetworkMode; readonly list: string[] };
}

/** Returns the conditions of the token that the service declared; undefined if there are none. */
export function conditionsFor(
  declared: readonly string[],
  { networks }: Pick<TokenRecord, 'networks'>,
): Conditions | undefined {
  if (networks === null || !declared.includes('networks')) return undefined;
  return { networks: { mode: networks.mode, list: [...networkTexts(networks)] } };
}

/**
 * Whether the service will refuse the request that it asks about, by the client's address. Gatehouse then records a
 * refusal and no use.
 */
export const willRefuse = (
  { networks }: Pick<TokenRecord, 'networks'>,
  clientAddress: string | undefined,
): boolean => networks?.mode === 'enforced' && isOutside(networks, clientAddress);
