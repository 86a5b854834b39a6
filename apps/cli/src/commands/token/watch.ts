import { parseTokenId } from '@gatehouse/domain/tokens';
import type { CommandCaller } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../../cli.ts';
import { defineSteps } from '../../described/kinds.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { NAME } from '../../input/parsers.ts';
import { printableJson } from '../../output/printable.ts';
import { offer } from '../../output/write.ts';
import { activityDocument, activityLine } from '../../views/activity-view.ts';

export const tokenWatch = defineSteps({
  verb: 'watch',
  summary: 'Print, every second, how often tokens were used and refused, and why',
  arguments: {
    idOrName: {
      ...NAME,
      description: "The tokens' ids, or names of API tokens (default: all)",
      several: true,
      optional: true,
    },
  },
  as: { description: "Watch only the tokens of this admin's account" },
  notes: [
    'Each server reports once a second. The command prints one line for each token that was used or refused since the last report of the server. It does not show uses before its start; `gatehouse token list` shows the last use of each token. If DATABASE_URL is the address of a connection pooler, DATABASE_LISTEN_URL must be the address of the database itself. Ctrl-C stops the command (exit status 130).',
    'A name means the live token with that name; after a rotation, the new token. If several live tokens have the name, the command lists them (exit status 5).',
  ],
  examples: [
    'gatehouse token watch',
    'gatehouse token watch ERP',
    'gatehouse token watch 019a0000-0000-7000-8000-000000000000 --as ada@acme.example',
    `gatehouse token watch --jsonl | jq 'select(.refusals != {})'`,
  ],
  prints: 'stream',
  async steps(
    gatehouse,
    caller,
    { idOrName: references = [] },
    { cli: { signal, streams }, output, printer },
  ) {
    const ids = await Promise.all(references.map((each) => idOf(gatehouse, caller, each)));
    const watch = unwrap(await gatehouse.watchTokens(caller, ids.length > 0 ? { ids } : undefined));
    const close = () => void watch.close();
    signal.addEventListener('abort', close);
    if (signal.aborted) close();
    await printer.note('Watching the use of tokens. Press Ctrl-C to stop.');
    for await (const activity of watch) {
      const line = output.jsonl ? printableJson(activityDocument(activity)) : activityLine(activity);
      if (!(await offer(streams.stdout, `${line}\n`))) break;
    }
    // A user who pressed Ctrl-C needs no message.
    if (signal.aborted) throw new Interrupted('');
  },
});

/** Returns the id that a reference means. The use case that watches checks an id itself. */
async function idOf({ findTokenByReference }: Gatehouse, caller: CommandCaller, reference: string) {
  return parseTokenId(reference) ?? unwrap(await findTokenByReference(caller, reference)).id;
}
