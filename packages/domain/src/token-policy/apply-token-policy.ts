import {
  APPLY_TOKEN_POLICIES,
  authorize,
  authorized,
  type Operator,
  type Principal,
} from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { checkAccount, type InAccount } from '../accounts/account-repository.ts';
import { eventBy } from '../audit/event-by.ts';
import { type Pages, pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { tokenShortened } from '../tokens/token-events.ts';
import type { ShortenedToken } from './token-policies.ts';

type ApplyPorts = Ports<'accounts' | 'tokenPolicies' | 'clock'>;

interface ApplyTokenPolicyInput extends InAccount {
  /** Whether to list only which tokens would be shortened. */
  readonly isDryRun: boolean;
}

/**
 * Shortens the tokens that would be accepted for longer than the rules allow from now on, sign-in tokens too. Each page
 * is one atomic step, with an event for each token. An admin shortens the tokens of the own account, the operator those
 * of one account or of all. Does not change tokens whose scopes are not allowed: they have to be replaced.
 */
export const applyTokenPolicy = authorized(
  APPLY_TOKEN_POLICIES,
  (ports: ApplyPorts) =>
    async (caller, { accountId: asked, isDryRun }: ApplyTokenPolicyInput) => {
      const accountId = caller.kind === 'operator' ? asked : (asked ?? caller.accountId);
      if (accountId !== undefined && !authorize(caller, APPLY_TOKEN_POLICIES, { accountId }).ok)
        return err({ code: 'account_not_found' });
      const known = await checkAccount(ports.accounts, accountId);
      return known.ok ? ok(shorten(ports, caller, accountId, isDryRun)) : known;
    },
);

/** The number of tokens in one step. The change feed reports at most 100 changed ids of a statement. */
const BATCH = 100;

async function* shorten(
  { accounts, tokenPolicies, clock }: ApplyPorts,
  caller: Principal | Operator,
  accountId: AccountId | undefined,
  isDryRun: boolean,
): Pages<ShortenedToken> {
  const at = clock.now();
  const audit = ({ token, expiresAt }: ShortenedToken) =>
    eventBy(caller, tokenShortened(token, expiresAt, at));
  const stepIn = (id: AccountId, after: ShortenedToken | undefined) =>
    isDryRun
      ? tokenPolicies.listTooLong(id, { at, limit: BATCH, after: after?.token })
      : tokenPolicies.shorten(id, { at, limit: BATCH }, audit);
  for await (const ids of idsOf(accounts, accountId)) {
    for (const id of ids) yield* stepsIn((after) => stepIn(id, after));
  }
}

async function* stepsIn(step: (after: ShortenedToken | undefined) => Promise<readonly ShortenedToken[]>) {
  let last: ShortenedToken | undefined;
  for (;;) {
    const page = await step(last);
    if (page.length > 0) yield page;
    if (page.length < BATCH) return;
    last = page.at(-1);
  }
}

async function* idsOf(accounts: ApplyPorts['accounts'], accountId: AccountId | undefined): Pages<AccountId> {
  if (accountId !== undefined) return yield [accountId];
  for await (const page of pagesById((each: Parameters<typeof accounts.list>[0]) => accounts.list(each)))
    yield page.map(({ id }) => id);
}
