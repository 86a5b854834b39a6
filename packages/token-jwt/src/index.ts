export { toJwk } from './jwk.ts';
export { createJwtTokenSigner } from './jwt-token-signer.ts';
