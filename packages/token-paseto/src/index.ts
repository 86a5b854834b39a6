export { toPaserk } from './paserk.ts';
export { createPasetoTokenSigner } from './paseto-token-signer.ts';
