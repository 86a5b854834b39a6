import { ACCOUNT } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { accountPage } from './account.ts';

/** The pages of the account, by their paths. */
export const accountPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [ACCOUNT]: signedIn(accountPage(ports)),
});
