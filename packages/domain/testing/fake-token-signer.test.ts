import { TOKEN_FORMATS } from '../src/tokens/token.ts';
import { tokenSignerContract } from './contracts/token-signer-contract.ts';
import { createFakeTokenSigner, fakePayloadOf, fakeToken } from './fake-token-signer.ts';

for (const format of TOKEN_FORMATS) {
  tokenSignerContract(`The fake for ${format}`, {
    createSigner: () => createFakeTokenSigner(format),
    forge: async (payload, key) => fakeToken(format, payload, key),
    payloadOf: fakePayloadOf,
  });
}
