import {
  type NetworkMode,
  networkTexts,
  parseTokenNetworks,
  type TokenNetworks,
} from '@gatehouse/domain/tokens';

/** The columns of `tokens` that store its networks. Both are null if the token has none. */
export interface NetworkColumns {
  networks: readonly string[] | null;
  networks_mode: NetworkMode | null;
}

export const networkColumnsOf = (networks: TokenNetworks | null): NetworkColumns => ({
  networks: networks && networkTexts(networks),
  networks_mode: networks?.mode ?? null,
});

/**
 * Parses the networks of a row.
 *
 * @throws Error if they are damaged, so that the token is not accepted from everywhere
 */
export function toTokenNetworks({
  networks: list,
  networks_mode: mode,
}: NetworkColumns): TokenNetworks | null {
  if (list === null && mode === null) return null;
  const parsed = list === null || mode === null ? undefined : parseTokenNetworks({ mode, list });
  if (!parsed?.ok) throw new Error('the networks of a token in the database are damaged');
  return parsed.value;
}
