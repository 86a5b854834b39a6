import type { JwksAnswer, PaserkAnswer } from '@gatehouse/api-contract';
import type { ListPublicKeys, VerificationKey } from '@gatehouse/domain/signing-keys';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import { toJwk } from '@gatehouse/token-jwt';
import { toPaserk } from '@gatehouse/token-paseto';
import { type Header, jsonAnswer } from '../http/answer.ts';
import type { Handler } from '../http/route.ts';

/** A key that is staged now may sign in a moment, and one may be retired at any time. */
const NO_CACHE: Header = ['cache-control', 'no-cache'];

/** GET /.well-known/jwks.json */
export const getJwksRoute = (listPublicKeys: ListPublicKeys) =>
  keySetRoute(listPublicKeys, 'jwt', (keys): JwksAnswer => ({ keys: keys.map(toJwk) }));

/** GET /.well-known/paserk.json */
export const getPaserkRoute = (listPublicKeys: ListPublicKeys) =>
  keySetRoute(
    listPublicKeys,
    'paseto',
    (keys): PaserkAnswer => ({ keys: keys.map((key) => ({ kid: key.id, key: toPaserk(key) })) }),
  );

function keySetRoute(
  listPublicKeys: ListPublicKeys,
  format: TokenFormat,
  toBody: (keys: readonly VerificationKey[]) => object,
): Handler {
  return async () => {
    const keys = await listPublicKeys();
    return jsonAnswer(JSON.stringify(toBody(keys.filter((key) => key.format === format))), NO_CACHE);
  };
}
