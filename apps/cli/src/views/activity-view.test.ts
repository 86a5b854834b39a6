import { aTokenId, START } from '@gatehouse/domain/testing';
import type { Email, UserId } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { activityLine } from './activity-view.ts';

test('a line has the uses, the most frequent refusals first, and no control characters', () => {
  const line = activityLine({
    at: START,
    tokenId: aTokenId(),
    name: 'red \u001b[31m',
    creator: { id: 1 as UserId, email: 'ada@acme.example' as Email },
    uses: 12,
    refusals: { revoked: 1, insufficient_scope: 2 },
  });
  expect(line).toMatch(/^2026-01-01T00:00:00Z {2}red \ufffd\[31m \(\S+\) {2}ada@acme\.example {2}/);
  expect(line).toMatch(/ {2}12 uses, 3 refused: insufficient_scope 2, revoked 1$/);
});
