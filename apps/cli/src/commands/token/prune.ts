import { formatInstant } from '@gatehouse/domain/time';
import type { PrunableTokens } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { DURATION } from '../../input/parsers.ts';
import { counted } from '../../views/count.ts';
import { deleteInBatches } from '../in-batches.ts';
import { UNITS } from '../shared-options.ts';

export const tokenPrune = defineSteps({
  verb: 'prune',
  summary: 'Delete the records of sign-in tokens that expired or were revoked long ago; API tokens are kept',
  options: {
    olderThan: {
      ...DURATION,
      description: `Minimum time since the tokens expired or were revoked, such as 90d; ${UNITS}`,
      required: true,
    },
    dryRun: { description: 'Print how many records there are, without deleting them' },
  },
  notes: [
    'A token ended when it was revoked or when it expired, whichever came first. The audit log keeps the history of the tokens. The command can be interrupted at any time and run again. With --json it prints {"ended_before", "dry_run", "count", "more"}: a dry run counts up to 100,000 records, and "more" says whether there are more.',
  ],
  examples: [
    'gatehouse token prune --older-than 90d --dry-run',
    'gatehouse token prune --older-than 90d --yes',
  ],
  asks: {
    action: 'delete the records',
    question: 'This cannot be undone. Delete these records?',
    declined: 'Nothing was deleted.',
    when: ({ dryRun }) => !dryRun,
  },
  prints: 'change',
  async steps(gatehouse, caller, { olderThan: olderThanMs, dryRun = false }, tools) {
    const { printer, confirm } = tools;
    const prunable = unwrap(await gatehouse.countPrunableTokens(caller, { olderThanMs }));
    const { endedBefore, count, more } = prunable;
    const document = { ended_before: formatInstant(endedBefore), dry_run: dryRun };
    if (dryRun || count === 0) {
      await printer.note(`${summaryOf(prunable)}. Nothing was deleted.`);
      return printer.document({ ...document, count, more });
    }
    await confirm(async () => [`${summaryOf(prunable)}. The audit log keeps the history of these tokens.`]);
    const pruned = await deleteInBatches(tools, MESSAGES, () =>
      gatehouse.pruneTokens(caller, { endedBefore }),
    );
    return printer.document({ ...document, count: pruned, more: false });
  },
});

const MESSAGES = {
  doing: 'Deleting records',
  done: (total: number) => `Deleted the records of ${counted(total, 'sign-in token')}.`,
  again: 'To delete the other records, run the command again.',
};

function summaryOf({ endedBefore, count, more }: PrunableTokens): string {
  return `${more ? 'More than ' : ''}${counted(count, 'sign-in token')} ended before ${shortTime(endedBefore)}`;
}
