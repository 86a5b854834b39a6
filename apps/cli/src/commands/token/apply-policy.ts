import type { Pages } from '@gatehouse/domain';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { ACCOUNT_ID } from '../../input/parsers.ts';
import { counted } from '../../views/count.ts';
import { shortenedTokenView } from '../../views/shortened-token-view.ts';

export const tokenApplyPolicy = defineSteps({
  verb: 'apply-policy',
  summary: "Shorten tokens that would be accepted for longer than their account's rules allow",
  as: { description: "Shorten only the tokens of this admin's account" },
  options: {
    account: { ...ACCOUNT_ID, description: 'Shorten only the tokens of this account' },
    dryRun: { description: 'List the tokens and their new expiries, without changing them' },
  },
  notes: [
    'The longest lifetime counts from now, so no token ends at once. Sign-in tokens are shortened, too. Tokens with scopes that the rules do not allow, or without the networks that they demand, stay as they are: `gatehouse token list --over-policy` lists them.',
  ],
  examples: [
    'gatehouse token apply-policy --dry-run',
    'gatehouse token apply-policy --as ada@acme.example',
    'gatehouse token apply-policy --account 1 --yes',
  ],
  asks: {
    action: 'shorten the tokens',
    question: 'The expiry of a token can never be made later again. Shorten these tokens?',
    declined: 'No token was shortened.',
    when: ({ dryRun }) => !dryRun,
  },
  prints: shortenedTokenView,
  async steps(gatehouse, caller, { account: accountId, dryRun = false }, { printer, confirm }) {
    const apply = async (isDryRun: boolean) =>
      unwrap(await gatehouse.applyTokenPolicy(caller, { accountId, isDryRun }));
    await confirm(async () => {
      const count = await countOf(await apply(true));
      return count === 0 ? undefined : [`${counted(count, 'token')} will be shortened.`];
    });
    let count = 0;
    async function* counting<T>(pages: Pages<T>): Pages<T> {
      for await (const page of pages) {
        count += page.length;
        yield page;
      }
    }
    await printer.list(counting(await apply(dryRun)), shortenedTokenView);
    if (count > 0)
      await printer.note(
        `${counted(count, 'token')} ${dryRun ? 'would be' : count === 1 ? 'was' : 'were'} shortened.`,
      );
  },
});

async function countOf(pages: Pages<unknown>): Promise<number> {
  let count = 0;
  for await (const page of pages) count += page.length;
  return count;
}
