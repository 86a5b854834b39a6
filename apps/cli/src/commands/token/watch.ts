import { defineSteps } from '../../described/kinds.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { TOKEN_ID } from '../../input/parsers.ts';
import { printableJson } from '../../output/printable.ts';
import { offer } from '../../output/write.ts';
import { activityDocument, activityLine } from '../../views/activity-view.ts';

export const tokenWatch = defineSteps({
  verb: 'watch',
  summary: 'Print, every second, how often tokens were used and refused, and why',
  arguments: {
    id: { ...TOKEN_ID, description: "The tokens' ids (default: all)", several: true, optional: true },
  },
  as: { description: "Watch only the tokens of this admin's account" },
  notes: [
    'Each server reports once a second. The command prints one line for each token that was used or refused since the last report of the server. It does not show uses before its start; `gatehouse token list` shows the last use of each token. If DATABASE_URL is the address of a connection pooler, DATABASE_LISTEN_URL must be the address of the database itself. Ctrl-C stops the command (exit status 130).',
  ],
  examples: [
    'gatehouse token watch',
    'gatehouse token watch 019a0000-0000-7000-8000-000000000000 --as ada@acme.example',
    `gatehouse token watch --jsonl | jq 'select(.refusals != {})'`,
  ],
  prints: 'stream',
  async steps({ watchTokens }, caller, { id: ids = [] }, { cli: { signal, streams }, output, printer }) {
    const watch = unwrap(await watchTokens(caller, ids.length > 0 ? { ids } : undefined));
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
