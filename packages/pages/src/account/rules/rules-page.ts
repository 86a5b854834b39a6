import {
  type AccountTokenPolicy,
  effectiveRules,
  TOKEN_HOLDERS,
  type TokenHolder,
} from '@gatehouse/domain/token-policy';
import { buttonLink, countInWords } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { backTo, facts, section } from '../../elements/part.ts';
import { type Html, html } from '../../html.ts';
import type { Found, PageUseCases } from '../../page-use-cases.ts';
import { ACCOUNT, holderRulesPath } from '../../paths.ts';
import type { SignedInPage } from '../../session/signed-in.ts';
import { listPath } from '../../tokens/token-list/address.ts';
import { denied, view } from '../../view.ts';
import {
  confirmationInWords,
  HOLDERS,
  lifetimeInWords,
  longestInWords,
  networksInWords,
  scopesInWords,
} from './words.ts';

type Ports = Pick<PageUseCases, 'countTokensOverPolicy' | 'showTokenPolicy'>;

/** `/settings/account/rules`: shows admins the rules for the tokens of the account, and which tokens break them. */
export function rulesPage(ports: Ports): SignedInPage {
  return {
    async show({ caller }) {
      const shown = await ports.showTokenPolicy(caller, caller.accountId);
      if (!shown.ok) return denied(shown.error);
      const over = await ports.countTokensOverPolicy(caller);
      if (!over.ok) return denied(over.error);
      return view({
        title: 'Token rules',
        above: backTo(ACCOUNT, 'Account'),
        content: html`<p class="lead">New API tokens must keep these rules. Sign-in tokens obey the longest lifetime of people.</p>
${overPolicy(over.value)}
${TOKEN_HOLDERS.map((holder) => rulesOf(shown.value, holder))}`,
      });
    },
  };
}

function overPolicy(over: Found<'countTokensOverPolicy'>): Html | null {
  if (over.count === 0) return null;
  const tokens = over.count === 1 ? 'API token breaks' : 'API tokens break';
  return warning(
    html`<p><a href="${listPath({ state: 'over_policy' })}">${countInWords(over)} ${tokens} these rules.</a> Tokens that exist keep working. Rotate, shorten or replace them.</p>`,
  );
}

function rulesOf(policy: AccountTokenPolicy, holder: TokenHolder): Html {
  const rules = effectiveRules(policy, holder);
  const floor = policy.floor[holder];
  const isLimited = floor.mustExpire || floor.scopes !== null || floor.mustHaveNetworks;
  const ofOperator = html`${longestInWords(floor)}; scopes: ${scopesInWords(floor.scopes)}; networks: ${networksInWords(floor)}`;
  return section(
    HOLDERS[holder].title,
    html`${facts([
      ['Longest lifetime', longestInWords(rules)],
      ['Default lifetime', lifetimeInWords(rules.defaultLifetimeMs)],
      ['Scopes', scopesInWords(rules.scopes)],
      ['Networks', networksInWords(rules)],
      ['Confirmation by an identity provider', holder === 'person' ? confirmationInWords(rules) : null],
      ['Set by the operator', isLimited ? ofOperator : null],
    ])}<p class="actions">${buttonLink(holderRulesPath(holder), `Edit rules for ${HOLDERS[holder].name}`)}</p>`,
  );
}
