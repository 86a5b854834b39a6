import { API_TOKENS, CHECK_TOKEN, NEW_TOKEN, REVOKE_TOKENS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { checkTokenPage } from './check-token.ts';
import { firstUseEndpoint } from './first-use.ts';
import { giveTokenPage } from './give-token.ts';
import { tokenNetworksPage } from './networks/token-networks.ts';
import { newTokenPage } from './new-token.ts';
import { revokeTokenPage } from './revoke-token.ts';
import { revokeTokensPage } from './revoke-tokens.ts';
import { rotateTokenPage } from './rotate-token.ts';
import { tokenPage } from './token.ts';
import { tokenListPage } from './token-list.ts';

/** The pages of the area `API tokens`, by their paths. */
export const tokenPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [API_TOKENS]: signedIn(tokenListPage(ports)),
  [CHECK_TOKEN]: signedIn(checkTokenPage(ports)),
  [NEW_TOKEN]: signedIn(newTokenPage(ports)),
  [REVOKE_TOKENS]: signedIn(revokeTokensPage(ports)),
  [`${API_TOKENS}/:id`]: signedIn(tokenPage(ports)),
  [`${API_TOKENS}/:id/first-use`]: firstUseEndpoint(ports),
  [`${API_TOKENS}/:id/give`]: signedIn(giveTokenPage(ports)),
  [`${API_TOKENS}/:id/networks`]: signedIn(tokenNetworksPage(ports)),
  [`${API_TOKENS}/:id/revoke`]: signedIn(revokeTokenPage(ports)),
  [`${API_TOKENS}/:id/rotate`]: signedIn(rotateTokenPage(ports)),
});
