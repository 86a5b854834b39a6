import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { TOKEN_MAX_LENGTH, type TokenClaims, type TokenSigner } from '@gatehouse/domain/tokens';
import { ClaimValidationError, InvalidTokenError, PublicProtocol } from 'paseto';
import { fromPayload, toPayload } from './claims.ts';
import { footerFor, keyIdOf } from './footer.ts';
import { generateKey } from './keys.ts';
import { SignFactory, toPublicKey, toSecretKey, VerifyFactory } from './signatures.ts';

const protocol = new PublicProtocol(SignFactory, VerifyFactory);

/** Disables the library's checks of dates: the domain checks expiry on every use. */
const ANY_TIME = { allowNonExpiring: true, clockTolerance: Number.MAX_SAFE_INTEGER };

const SIGNATURE_LENGTH = 64;

/** Signs PASETO v4.public tokens, whose footer is `{"kid":"k4.pid...."}`. */
export function createPasetoTokenSigner(): TokenSigner {
  return {
    format: 'paseto',
    generateKey,

    async sign(claims, key) {
      const token = await protocol.Sign(toSecretKey(key), toPayload(claims), {
        addIssuedAt: false,
        nonExpiring: claims.expiresAt === null,
        footer: Buffer.from(footerFor(key.id)),
      });
      if (token.length > TOKEN_MAX_LENGTH) throw new RangeError('the claims are too long for a token');
      return token;
    },

    keyIdOf,

    async verify(token, key) {
      if (key.format !== 'paseto' || keyIdOf(token) !== key.id) return undefined;
      const payload = await verifySignature(token, key);
      const claims = payload && fromPayload(payload);
      return claims && isSpelledAsSigned(token, claims) ? claims : undefined;
    },
  };
}

async function verifySignature(token: string, key: VerificationKey) {
  try {
    return (await protocol.Verify(toPublicKey(key), token, ANY_TIME)).claims;
  } catch (error) {
    if (error instanceof InvalidTokenError || error instanceof ClaimValidationError) return undefined;
    throw error;
  }
}

/** JSON has many encodings of the same claims. Comparing bytes rejects all but ours. */
function isSpelledAsSigned(token: string, claims: TokenClaims): boolean {
  const signed = Buffer.from(token.split('.')[2] ?? '', 'base64url').subarray(0, -SIGNATURE_LENGTH);
  return signed.equals(Buffer.from(JSON.stringify(toPayload(claims))));
}
