import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenAda } from '../../testing/ada.ts';
import { stateStyle } from './style.ts';

const COLOUR = '\u001b[';

beforeEach(() => {
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('TERM', 'xterm');
});
afterEach(() => vi.unstubAllEnvs());

test('a terminal gets colours', async () => {
  const cli = await givenAda();
  const listed = await cli.run(['user', 'list'], { columns: 200 });
  expect(listed.stdout).toContain('\u001b[32mactive\u001b[39m');
  expect(listed.stdout).toContain('\u001b[2mEMAIL');
});

test('other streams have no colours, nor does a terminal with NO_COLOR or TERM=dumb', async () => {
  const cli = await givenAda();
  expect((await cli.run(['user', 'list'])).stdout).not.toContain(COLOUR);
  expect((await cli.run(['user', 'list', '--json'], { columns: 200 })).stdout).not.toContain(COLOUR);
  vi.stubEnv('NO_COLOR', '1');
  expect((await cli.run(['user', 'list'], { columns: 200 })).stdout).not.toContain(COLOUR);
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('TERM', 'dumb');
  expect((await cli.run(['user', 'list'], { columns: 200 })).stdout).not.toContain(COLOUR);
});

test('good states are green, temporary ones yellow, and the others red', () => {
  expect(stateStyle('active')).toBe('green');
  for (const state of ['being_replaced', 'staged', 'verify-only']) expect(stateStyle(state)).toBe('yellow');
  for (const state of ['revoked', 'expired', 'user_disabled', 'retired', 'suspended']) {
    expect(stateStyle(state)).toBe('red');
  }
});
