import { expect, test } from 'vitest';
import { sabotage } from './sabotage.ts';

const FILE = '/http/src/cross-site.ts';

test('edits one source, which has the text once', () => {
  const edit = { file: FILE, find: 'return from.origin !== own &&', replace: 'return false &&' };
  expect(sabotage(edit)).toMatchObject({ SABOTAGE: JSON.stringify([edit]) });
});

test.each([
  ['0 sources', { file: '/http/cross-site.ts', find: 'return' }],
  ['sources end with', { file: '/index.ts', find: 'export' }],
  ['0 times', { file: FILE, find: 'a protection that was moved' }],
])('fails if the edit fits none, or several: %s', (message, edit) => {
  expect(() => sabotage(edit)).toThrow(message);
});
