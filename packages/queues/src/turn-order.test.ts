import { expect, test } from 'vitest';
import { createTurnOrder } from './turn-order.ts';

interface Item {
  readonly name: string;
}

/** Items with names such as `a0`, of the key that their names begin with. */
function openOrder(...names: readonly string[]) {
  const order = createTurnOrder<string, Item>();
  const items = names.map((name) => ({ name }));
  for (const item of items) order.add(keyOf(item), item);
  const takeAll = (mayGo?: (key: string) => boolean) => {
    const taken: string[] = [];
    for (let item = order.next(mayGo); item; item = order.next(mayGo)) taken.push(item.name);
    return taken;
  };
  return { order, items, takeAll };
}

const keyOf = ({ name }: Item) => name[0] as string;

test('keys take turns, and the items of one key keep their order', () => {
  const { order, takeAll } = openOrder('a0', 'a1', 'a2', 'b0', 'c0', 'b1');
  expect([order.size(), order.keys(), order.sizeOf('a'), order.sizeOf('d')]).toEqual([6, 3, 3, 0]);
  expect(takeAll()).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
  expect([order.size(), order.keys()]).toEqual([0, 0]);
});

test('a removed item has no turn, and a key without items none either', () => {
  const { order, items, takeAll } = openOrder('a0', 'a1', 'b0');
  const [first, , other] = items as [Item, Item, Item];
  expect([order.remove('a', first), order.remove('a', first), order.remove('b', other)]).toEqual([
    true,
    false,
    true,
  ]);
  expect([order.size(), order.keys()]).toEqual([1, 1]);
  expect(takeAll()).toEqual(['a1']);
});

test('all items of a key are removed together, and its place with them', () => {
  const { order, takeAll } = openOrder('a0', 'b0', 'a1', 'b1');
  expect(order.removeAll('a').map(({ name }) => name)).toEqual(['a0', 'a1']);
  expect([order.removeAll('a'), order.size(), order.keys()]).toEqual([[], 2, 1]);
  expect(takeAll()).toEqual(['b0', 'b1']);
});

test('a key that may not go now keeps its place', () => {
  const { takeAll } = openOrder('a0', 'b0', 'a1', 'b1');
  expect(takeAll((key) => key !== 'a')).toEqual(['b0', 'b1']);
  expect(takeAll()).toEqual(['a0', 'a1']);
});

test('the newest item of the longest is removed, if that is longer than asked', () => {
  const { order, takeAll } = openOrder('a0', 'b0', 'b1', 'b2', 'c0', 'c1');
  expect(order.removeNewestOfLongest(3)).toBeUndefined();
  expect(order.removeNewestOfLongest(2)?.name).toBe('b2');
  expect(order.removeNewestOfLongest(1)?.name).toBe('b1');
  expect(takeAll()).toEqual(['a0', 'b0', 'c0', 'c1']);
});
