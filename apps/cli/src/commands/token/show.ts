import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { NAME } from '../../input/parsers.ts';
import { tokenHistoryView } from '../../views/token-history-view.ts';
import { createGoneScopes } from './gone-scopes.ts';

export const tokenShow = defineSteps({
  verb: 'show',
  summary: "Show a token's use, its history, and whether it works",
  arguments: { idOrName: { ...NAME, description: "The token's id, or the name of an API token" } },
  as: { description: "Find only tokens of this admin's account" },
  notes: [
    'A name means the live token with that name; after a rotation, the new token. If several live tokens have the name, the command lists them (exit status 5). The secret text of a token is never shown again.',
  ],
  examples: ['gatehouse token show ERP', 'gatehouse token show 019a0000-0000-7000-8000-000000000000 --json'],
  prints: 'item',
  async steps(gatehouse, caller, { idOrName }, { cli, printer }) {
    const found = unwrap(await gatehouse.showToken(caller, idOrName));
    await printer.item(found, tokenHistoryView);
    const goneScopes = createGoneScopes(cli, gatehouse);
    goneScopes.add(found);
    for (const line of await goneScopes.notes()) await printer.note(line);
  },
});
