import type { AccountTokenPage, AccountTokenQuery, TokenId } from '@gatehouse/domain/tokens';
import { addressesFound, addressSearch } from '@gatehouse/domain/tokens';
import type { StoredAddress, StoredRefusalAddress } from '../../database/schema.ts';
import { toAddresses } from '../../usage/usage-reading.ts';

interface Row {
  readonly id: TokenId;
  readonly used?: readonly StoredAddress[] | null;
  readonly refused?: readonly StoredRefusalAddress[] | null;
}

/** Returns the addresses in the rows of a page that the search asks for. */
export function addressesOf(
  { search = '' }: AccountTokenQuery,
  rows: readonly Row[],
): AccountTokenPage['foundAddresses'] {
  const addresses = addressSearch(search);
  if (addresses === undefined) return new Map();
  return new Map(
    rows.flatMap(({ id, used, refused }) => {
      const found = addressesFound(addresses, toAddresses({ used: used ?? [], refused: refused ?? [] }));
      return found ? [[id, found] as const] : [];
    }),
  );
}
