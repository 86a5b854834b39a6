import { TOKEN_KINDS, TOKEN_STATES } from '@gatehouse/domain/tokens';
import type { Gatehouse } from '../../cli.ts';
import { defineSteps } from '../../described/kinds.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { DURATION, EMAIL, KEY_ID } from '../../input/parsers.ts';
import { tokenView } from '../../views/token-view.ts';
import { createGoneScopes } from './gone-scopes.ts';
import { isSearch, SEARCH_OPTIONS, searchedTokens } from './search.ts';

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
    all: { description: 'List ended tokens, too: those that were revoked or have expired', column: 'STATE' },
    neverExpiring: { description: 'List active tokens that never expire', column: 'EXPIRES' },
    overPolicy: {
      description:
        'List active tokens that break the rules of their account, by their expiry or their scopes',
      column: 'EXPIRES',
    },
    ...SEARCH_OPTIONS,
  },
  notes: [
    'The table leaves out ended tokens, unless --all, --state or --creator-inactive is given. --json and --jsonl list them always.',
    'The table lists the newest token first; --json and --jsonl list the oldest first. With --unused-for, every format lists the oldest first; with --expiring-within, the token that expires soonest. With --expiring-within, the exit status is 6 if any token is listed, so a cron job can report it.',
  ],
  examples: [
    'gatehouse token list --as ada@acme.example --search badges --sort name --limit 20',
    'gatehouse token list --as ada@acme.example --state active',
    'gatehouse token list --unused-for 90d --jsonl',
    'gatehouse token list --expiring-within 14d --kind api',
  ],
  prints: tokenView,
  async steps(
    gatehouse,
    caller,
    { key: keyId, all, search, sort, account, ...filter },
    { cli, output, printer },
  ) {
    const newestFirst = !output.json && !output.jsonl;
    const asked = { ...filter, search, sort, account };
    if (isSearch(asked)) {
      const found = await searchedTokens(gatehouse, caller, asked, all === true || !newestFirst);
      const isOfActive = newestFirst && !all && filter.state === undefined;
      return printer.list(found, tokenView, isOfActive ? NONE_ACTIVE : undefined);
    }
    const leavesOut = newestFirst && !all && !SELECTING.some((name) => filter[name] !== undefined);
    const live = leavesOut ? true : undefined;
    const pages = unwrap(await gatehouse.listTokens(caller, { ...filter, keyId, newestFirst, live }));
    let listed = 0;
    const goneScopes = createGoneScopes(cli, gatehouse);
    async function* counted() {
      for await (const page of pages) {
        listed += page.length;
        for (const token of page) goneScopes.add(token);
        yield page;
      }
    }
    // The hint of an empty list is to create a token, which is wrong if all tokens have ended.
    const ended =
      leavesOut && (await hasAny(gatehouse.listTokens(caller, { ...filter, keyId, live: false, limit: 1 })));
    await printer.list(counted(), ended ? { ...tokenView, empty: ONLY_ENDED } : tokenView);
    if (ended && listed > 0) await printer.note('Ended tokens are not listed; --all lists them, too.');
    for (const line of await goneScopes.notes()) await printer.note(line);
    if (filter.expiringWithin !== undefined && listed > 0) {
      const tokens = listed === 1 ? '1 token expires' : `${listed} tokens expire`;
      throw new CommandError('someFailed', `${tokens} within the given time.`);
    }
  },
});

/** Filters that select ended tokens, too, or none of them. */
const SELECTING = [
  'state',
  'creatorInactive',
  'unusedFor',
  'expiringWithin',
  'neverExpiring',
  'overPolicy',
] as const;

const NONE_ACTIVE = 'Nothing matches among active tokens; --all searches ended ones, too.';

const ONLY_ENDED = 'All tokens have ended. --all lists them.';

async function hasAny(listed: ReturnType<Gatehouse['listTokens']>): Promise<boolean> {
  for await (const page of unwrap(await listed)) return page.length > 0;
  return false;
}
