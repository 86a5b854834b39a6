import { ACCOUNT, SECOND_FACTOR_POLICY, TOKEN_RULES } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { accountPage } from './account.ts';
import { editRulesPage } from './rules/edit-rules-page.ts';
import { rulesPage } from './rules/rules-page.ts';
import { secondFactorPolicyPage } from './second-factor-policy.ts';

/** The pages of the account, by their paths. */
export const accountPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [ACCOUNT]: signedIn(accountPage(ports)),
  [SECOND_FACTOR_POLICY]: signedIn(secondFactorPolicyPage(ports)),
  [TOKEN_RULES]: signedIn(rulesPage(ports)),
  [`${TOKEN_RULES}/:holder`]: signedIn(editRulesPage(ports)),
});
