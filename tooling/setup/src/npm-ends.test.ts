import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let npmEnds: typeof import('./npm-ends.mjs').npmEnds;

beforeEach(async () => {
  vi.spyOn(process, 'ppid', 'get').mockReturnValue(500);
  // Simulates the start of the program.
  vi.resetModules();
  ({ npmEnds } = await import('./npm-ends.mjs'));
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const orphan = () => vi.spyOn(process, 'ppid', 'get').mockReturnValue(1);

/** Watches as a script of npm, or of another program, for a minute before its exit and a minute after it. */
function countEnds(script: string | undefined, stopsFirst = false): number[] {
  vi.stubEnv('npm_lifecycle_event', script);
  const onEnd = vi.fn();
  const watch = npmEnds(onEnd);
  vi.advanceTimersByTime(60_000);
  const before = onEnd.mock.calls.length;
  if (stopsFirst) watch.stop();
  orphan();
  vi.advanceTimersByTime(60_000);
  return [before, onEnd.mock.calls.length];
}

it('reports once that npm has exited', () => {
  expect(countEnds('start')).toEqual([0, 1]);
});

it('reports that npm exited before the first check, as in a slow set-up', () => {
  orphan();
  expect(countEnds('start')).toEqual([1, 1]);
});

it('reports nothing after it was stopped', () => {
  expect(countEnds('start', true)).toEqual([0, 0]);
});

it('ignores the exit of a parent other than npm', () => {
  expect(countEnds(undefined)).toEqual([0, 0]);
});
