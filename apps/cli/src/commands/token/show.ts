import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { NAME } from '../../input/parsers.ts';
import { tokenHistoryView } from '../../views/token-history-view.ts';
import { goneScopeNotes } from '../../views/token-view.ts';

export const tokenShow = defineSteps({
  verb: 'show',
  summary: "Show a token's use, its history, and whether it works",
  arguments: { idOrName: { ...NAME, description: "The token's id, or the name of an API token" } },
  as: { description: "Look only at the tokens of this admin's account" },
  notes: [
    'A name stands for the live token that has it; after a rotation, for the new token. If several live tokens have the name, they are listed (exit status 5). The token itself is never shown again.',
  ],
  examples: ['gatehouse token show ERP', 'gatehouse token show 019a0000-0000-7000-8000-000000000000 --json'],
  prints: 'item',
  async steps({ showToken }, caller, { idOrName }, { cli, printer }) {
    const found = unwrap(await showToken(caller, idOrName));
    await printer.item(found, tokenHistoryView);
    for (const line of goneScopeNotes(cli.catalog, found.scopes)) await printer.note(line);
  },
});
