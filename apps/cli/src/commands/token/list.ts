import { TOKEN_KINDS, TOKEN_STATES } from '@gatehouse/domain/tokens';
import { defineSteps } from '../../described/kinds.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { DURATION, EMAIL, KEY_ID } from '../../input/parsers.ts';
import { tokenView } from '../../views/token-view.ts';
import { createGoneScopes } from './gone-scopes.ts';

export const tokenList = defineSteps({
  verb: 'list',
  summary: 'List the tokens, newest first; filters are combined with AND',
  as: { description: "List only the tokens of this admin's account" },
  options: {
    creator: { ...EMAIL, description: "List this user's tokens", column: 'OWNER' },
    creatorInactive: {
      description: 'List tokens of disabled users and of suspended accounts',
      column: 'OWNER',
    },
    kind: { value: 'kind', description: 'List tokens of this kind', choices: TOKEN_KINDS, column: 'KIND' },
    // The option `key` has no member `column`, because the list has no column for the signing key.
    key: { ...KEY_ID, description: 'List tokens signed by this key' },
    state: {
      value: 'state',
      description: 'List tokens in this state',
      choices: TOKEN_STATES,
      column: 'STATE',
    },
    unusedFor: {
      ...DURATION,
      description: 'List active tokens neither created nor used for this long, such as 90d',
      column: 'LAST USED',
    },
    expiringWithin: {
      ...DURATION,
      description: 'List active tokens that expire within this time, such as 14d, soonest first',
      column: 'EXPIRES',
    },
    neverExpiring: { description: 'List active tokens that never expire', column: 'EXPIRES' },
  },
  notes: [
    'The table lists the newest token first; --json and --jsonl list the oldest first. With --unused-for, every format lists the oldest first; with --expiring-within, the token that expires soonest. With --expiring-within, the exit status is 6 if any token is listed, so a cron job can report it.',
  ],
  examples: [
    'gatehouse token list --as ada@acme.example --state active',
    'gatehouse token list --unused-for 90d --jsonl',
    'gatehouse token list --expiring-within 14d --kind api',
  ],
  prints: tokenView,
  async steps(gatehouse, caller, { key: keyId, ...filter }, { cli, output, printer }) {
    const newestFirst = !output.json && !output.jsonl;
    const pages = unwrap(await gatehouse.listTokens(caller, { ...filter, keyId, newestFirst }));
    let listed = 0;
    const goneScopes = createGoneScopes(cli, gatehouse);
    async function* counted() {
      for await (const page of pages) {
        listed += page.length;
        for (const token of page) goneScopes.add(token);
        yield page;
      }
    }
    await printer.list(counted(), tokenView);
    for (const line of await goneScopes.notes()) await printer.note(line);
    if (filter.expiringWithin !== undefined && listed > 0) {
      const tokens = listed === 1 ? '1 token expires' : `${listed} tokens expire`;
      throw new CommandError('someFailed', `${tokens} within the given time.`);
    }
  },
});
