import { ACCOUNT, TOKEN_RULES } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { accountPage } from './account.ts';
import { editRulesPage } from './rules/edit-rules-page.ts';
import { rulesPage } from './rules/rules-page.ts';

/** The pages of the account, by their paths. */
export const accountPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [ACCOUNT]: signedIn(accountPage(ports)),
  [TOKEN_RULES]: signedIn(rulesPage(ports)),
  [`${TOKEN_RULES}/:holder`]: signedIn(editRulesPage(ports)),
});
