import { expect, test } from 'vitest';
import {
  anEvent,
  aRevocation,
  createWorldWithAdmins,
  givenToken,
  inPerson,
  OPERATOR,
  unwrap,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import { type SearchTokensInput, searchTokens } from './search-tokens.ts';

async function arrange() {
  const { world, ada, eve } = await createWorldWithAdmins();
  for (const name of ['Door badges', 'Wiki', 'Badge printer']) await givenToken(world, ada, { name });
  const old = await givenToken(world, ada, { name: 'Old badges' });
  await world.tokens.revoke(old.id, aRevocation(), anEvent());
  await givenToken(world, eve, { name: 'Badges of Eve' });
  const search = async (
    input: Partial<SearchTokensInput>,
    caller: Parameters<ReturnType<typeof searchTokens>>[0] = inPerson(ada),
  ) => {
    const found = await searchTokens(world)(caller, { order: 'name', sections: ['active'], ...input });
    const names: string[] = [];
    for await (const page of unwrap(found)) names.push(...page.map(({ name }) => name));
    return names;
  };
  return { world, ada, eve, search };
}

test('lists the tokens that are found, in the order, the ended ones after the active ones', async () => {
  const { search } = await arrange();
  expect(await search({ search: 'badge' })).toEqual(['Badge printer', 'Door badges']);
  expect(await search({ search: 'badge', sections: ['active', 'ended'] })).toEqual([
    ...['Badge printer', 'Door badges', 'Old badges'],
  ]);
  expect(await search({ search: 'badge', sections: ['active', 'ended'], limit: 1 })).toEqual([
    'Badge printer',
  ]);
  expect(await search({ limit: 2 })).toEqual(['Badge printer', 'Door badges']);
});

test('an operator names the account, and an admin has only the own one', async () => {
  const { world, ada, eve, search } = await arrange();
  expect(await search({ search: 'badge', account: eve.accountId }, OPERATOR)).toEqual(['Badges of Eve']);
  expect(await search({ search: 'eve', account: eve.accountId }, inPerson(ada))).toEqual([]);
  const input = { order: 'name', sections: ['active'] } as const;
  expect(await searchTokens(world)(OPERATOR, input)).toEqual(err({ code: 'not_allowed' }));
  const missing = { ...input, account: 999 as typeof ada.accountId };
  expect(await searchTokens(world)(OPERATOR, missing)).toEqual(err({ code: 'account_not_found' }));
});
