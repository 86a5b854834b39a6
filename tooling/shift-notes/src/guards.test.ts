import type { Instant } from '@gatehouse/extension-kit/domain';
import { askGuards } from '@gatehouse/extension-testing';
import { expect, test } from 'vitest';
import { shiftNotes } from './index.ts';

const END = Date.UTC(2027, 0, 31) as Instant;

test.each([
  [['shift-notes:read'], null, 'shift_note_token_endless'],
  [['orgs:read', 'shift-notes:read'], null, 'shift_note_token_endless'],
  [['shift-notes:read'], END, undefined],
  [['orgs:read'], null, undefined],
] as const)('a token with %j that expires at %j is forbidden by %j', async (scopes, expiresAt, refusal) => {
  expect(await askGuards(shiftNotes, 'token.create', { scopes, expiresAt })).toBe(refusal);
});
