import { expect, onTestFinished, test } from 'vitest';
import {
  aTokenId,
  createInMemoryRepositories,
  givenAccount,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  START,
  unwrap,
} from '../../../testing/index.ts';
import { UnavailableFault } from '../../faults.ts';
import { addMilliseconds, type Instant } from '../../time/instant.ts';
import type { TokenId } from '../token.ts';
import { type TokenActivity, watchTokens } from './watch-tokens.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

/** Two accounts, each with an admin who has a token. */
async function given() {
  const store = createInMemoryRepositories();
  const user = async (email: string) => givenUser(store, (await givenAccount(store)).id, { email });
  const [ada, bo] = [await user('ada@acme.example'), await user('bo@other.example')];
  const erp = await givenToken(store, ada, { name: 'ERP' });
  const foreign = await givenToken(store, bo, { name: 'Foreign' });
  const looked: TokenId[][] = [];
  const ports = {
    usageFeed: store.usageFeed,
    tokens: {
      ...store.tokens,
      findRecords: (ids: readonly TokenId[]) => {
        looked.push([...ids]);
        return store.tokens.findRecords(ids);
      },
    },
  };
  async function watch(...args: Parameters<ReturnType<typeof watchTokens>>) {
    const watching = unwrap(await watchTokens(ports)(...args));
    onTestFinished(() => watching.close());
    return { watching, reader: watching[Symbol.asyncIterator]() };
  }
  return { store, ports, looked, ada, bo, erp, foreign, watch };
}

/** Reads the next `count` activities. */
async function next(reader: AsyncIterator<TokenActivity>, count: number): Promise<readonly TokenActivity[]> {
  const activities: TokenActivity[] = [];
  while (activities.length < count) activities.push((await reader.next()).value);
  return activities;
}

test('the operator watches every token, with its name and its creator', async () => {
  const { store, ada, bo, erp, foreign, watch } = await given();
  const { reader } = await watch(OPERATOR);
  store.usage.used(erp.id, at(1));
  store.usage.used(erp.id, at(2));
  store.usage.refused(erp.id, at(3), 'insufficient_scope');
  store.usage.used(foreign.id, at(1));
  await store.usage.flush();
  expect(await next(reader, 2)).toEqual([
    {
      tokenId: erp.id,
      name: 'ERP',
      creator: { id: ada.id, email: 'ada@acme.example' },
      uses: 2,
      refusals: { insufficient_scope: 1 },
      at: at(3),
    },
    {
      tokenId: foreign.id,
      name: 'Foreign',
      creator: { id: bo.id, email: 'bo@other.example' },
      uses: 1,
      refusals: {},
      at: at(1),
    },
  ]);
});

test('an admin watches the tokens of the own account only', async () => {
  const { store, ada, erp, foreign, watch } = await given();
  const { reader } = await watch(inPerson(ada));
  for (const second of [1, 2]) {
    store.usage.used(foreign.id, at(second));
    store.usage.used(erp.id, at(second));
    await store.usage.flush();
  }
  expect(await next(reader, 1)).toMatchObject([{ name: 'ERP', uses: 2 }]);
  store.usage.used(foreign.id, at(3));
  await store.usage.flush();
  store.usage.used(erp.id, at(4));
  await store.usage.flush();
  expect(await next(reader, 1)).toMatchObject([{ name: 'ERP', uses: 1, at: at(4) }]);
});

test('a watch of given tokens delivers only these, and looks up no others', async () => {
  const { store, erp, foreign, looked, watch } = await given();
  const { reader } = await watch(OPERATOR, { ids: [foreign.id] });
  store.usage.used(erp.id, at(1));
  await store.usage.flush();
  store.usage.used(foreign.id, at(1));
  await store.usage.flush();
  expect(await next(reader, 1)).toMatchObject([{ name: 'Foreign' }]);
  expect(looked).toEqual([[foreign.id]]);
});

test('a token is looked up once', async () => {
  const { store, erp, foreign, looked, watch } = await given();
  const { reader } = await watch(OPERATOR);
  for (const id of [erp.id, foreign.id, erp.id]) {
    store.usage.used(id, at(1));
    await store.usage.flush();
    await next(reader, 1);
  }
  expect(looked).toEqual([[erp.id], [foreign.id]]);
});

test('a token that was deleted is skipped', async () => {
  const { store, erp, watch } = await given();
  const { reader } = await watch(OPERATOR);
  store.usage.used(aTokenId(), at(1));
  store.usage.used(erp.id, at(1));
  await store.usage.flush();
  expect(await next(reader, 1)).toMatchObject([{ name: 'ERP' }]);
});

test('very many tokens at once are each delivered once', async () => {
  const { store, ada, looked, watch } = await given();
  const ids: TokenId[] = [];
  while (ids.length < 2500) ids.push((await givenToken(store, ada, { name: `ERP ${ids.length}` })).id);
  const { reader } = await watch(OPERATOR);
  for (const id of ids) store.usage.used(id, at(1));
  await store.usage.flush();
  expect((await next(reader, ids.length)).map(({ tokenId }) => tokenId)).toEqual(ids);
  expect(looked.map((page) => page.length)).toEqual([1000, 1000, 500]);
});

test('a token that is unknown, or another account’s, is not found', async () => {
  const { ports, ada, erp, foreign } = await given();
  for (const id of [aTokenId(), foreign.id]) {
    expect(await watchTokens(ports)(inPerson(ada), { ids: [erp.id, id] })).toEqual({
      ok: false,
      error: { code: 'token_not_found' },
    });
  }
});

test('closing the watch ends a waiting iteration', async () => {
  const { watch } = await given();
  const { watching, reader } = await watch(OPERATOR);
  const waiting = reader.next();
  await watching.close();
  expect(await waiting).toMatchObject({ done: true });
});

test('a lost feed is a fault', async () => {
  const { store, watch } = await given();
  const { reader } = await watch(OPERATOR);
  const waiting = expect(reader.next()).rejects.toThrow(UnavailableFault);
  store.usageFeed.lose();
  await waiting;
});
