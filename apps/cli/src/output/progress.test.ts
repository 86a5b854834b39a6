import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { environment } from '../../testing/process.ts';
import { CTRL_C, openTerminalFor } from '../../testing/terminal.ts';

const SLOW_WORK = fileURLToPath(new URL('../../testing/slow-work.ts', import.meta.url));
const HIDE_CURSOR = '\u001b[?25l';
const CLEAR_LINE = '\u001b[0K';
const SHOW_CURSOR = '\u001b[?25h';

function openSlowWork(args: readonly string[] = [], settings = {}) {
  return openTerminalFor(process.execPath, [SLOW_WORK, ...args], environment({ TERM: 'xterm', ...settings }));
}

test('long work shows its progress, and clears it at the end', async () => {
  const terminal = openSlowWork();
  await terminal.shows('Counting');
  terminal.type('1,000 \u001b[31mof\u0007 5,000\r');
  await terminal.shows('Counting 1,000');
  terminal.type('end\r');
  await terminal.shows('ended');
  expect(await terminal.ended).toBe(0);
  const sent = terminal.sent();
  expect(sent.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(sent.lastIndexOf(HIDE_CURSOR));
  // After the last frame the line is cleared before anything else is written to it.
  const afterwards = sent.slice(sent.lastIndexOf('Counting'));
  expect(afterwards.indexOf(CLEAR_LINE)).toBeGreaterThan(0);
  expect(afterwards.indexOf(CLEAR_LINE)).toBeLessThan(afterwards.indexOf('ended'));
});

test('permanent text is printed on its own line, and the progress is shown below it', async () => {
  const terminal = openSlowWork();
  await terminal.shows('Counting');
  terminal.type('tell\r');
  await terminal.shows('a line that stays');
  terminal.type('more\r');
  await terminal.shows('Counting more');
  terminal.type('end\r');
  expect(await terminal.ended).toBe(0);
  const sent = terminal.sent();
  const above = sent.slice(0, sent.indexOf('a line that stays'));
  expect(above.lastIndexOf(CLEAR_LINE)).toBeGreaterThan(above.lastIndexOf('Counting'));
});

test('an interrupt clears the progress and shows the cursor again', async () => {
  const terminal = openSlowWork();
  await terminal.shows('Counting');
  terminal.type(CTRL_C);
  await expect.poll(() => terminal.sent().includes(SHOW_CURSOR), { timeout: 5000 }).toBe(true);
  terminal.type('end\r');
  expect(await terminal.ended).toBe(0);
  const sent = terminal.sent();
  expect(sent.slice(sent.indexOf(SHOW_CURSOR))).not.toContain('Counting');
});

test.each([
  ['with --quiet', ['--quiet'], {}],
  ['on a terminal that cannot take back what it showed', [], { TERM: 'dumb' }],
])('nothing is shown %s', async (_, args, settings) => {
  const terminal = openSlowWork(args, settings);
  await terminal.shows('begun');
  // Longer than the delay of the progress; there is no event to wait for.
  await new Promise((resolve) => setTimeout(resolve, 700));
  terminal.type('end\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown()).not.toContain('Counting');
});

test('nothing is shown without a terminal', () => {
  const { stderr } = spawnSync(process.execPath, [SLOW_WORK], { input: 'end\n', encoding: 'utf8' });
  expect(stderr).toBe('begun\nended\n');
});
