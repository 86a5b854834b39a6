import type { Change, ChangeFeed } from '@gatehouse/domain/changes';
import { aTokenId } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { createChangeLog } from './change-log.ts';

test.each([
  [10_000, false],
  [10_001, true],
])('after %d changes, a read that none of them touches counts as outdated: %s', (count, isOutdated) => {
  let tell: (change: Change) => void = () => undefined;
  const feed: Pick<ChangeFeed, 'subscribe'> = {
    subscribe(listener) {
      tell = listener;
      return () => undefined;
    },
  };
  const watch = createChangeLog(feed as ChangeFeed).watch();
  const [other, ...changed] = Array.from({ length: count + 1 }, () => aTokenId());
  for (const id of changed) tell({ kind: 'token', id });
  expect(other && watch.sawAnyOf([{ kind: 'token', id: other }])).toBe(isOutdated);
});
