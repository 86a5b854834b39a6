import { ROUTES } from '@gatehouse/api-contract';
import { ok } from '@gatehouse/domain';
import type { ListPublicKeys } from '@gatehouse/domain/signing-keys';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import { serveRoute } from '@gatehouse/http';
import { toJwk } from '@gatehouse/token-jwt';
import { toPaserk } from '@gatehouse/token-paseto';

export const getJwksRoute = (listPublicKeys: ListPublicKeys) =>
  serveRoute(ROUTES.getJwks, {
    handle: keysOf(listPublicKeys, 'jwt'),
    toBody: (keys) => ({ keys: keys.map(toJwk) }),
  });

export const getPaserkKeysRoute = (listPublicKeys: ListPublicKeys) =>
  serveRoute(ROUTES.getPaserkKeys, {
    handle: keysOf(listPublicKeys, 'paseto'),
    toBody: (keys) => ({ keys: keys.map((key) => ({ kid: key.id, key: toPaserk(key) })) }),
  });

function keysOf(listPublicKeys: ListPublicKeys, format: TokenFormat) {
  return async () => ok((await listPublicKeys()).filter((key) => key.format === format));
}
