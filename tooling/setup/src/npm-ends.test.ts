import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let npmEnds: typeof import('./npm-ends.mjs').npmEnds;

beforeEach(async () => {
  vi.spyOn(process, 'ppid', 'get').mockReturnValue(500);
  // Simulates the start of the program.
  vi.resetModules();
  ({ npmEnds } = await import('./npm-ends.mjs'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const orphan = () => vi.spyOn(process, 'ppid', 'get').mockReturnValue(1);

it('reports once that npm has exited', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  const onEnd = vi.fn();
  npmEnds(onEnd);
  vi.advanceTimersByTime(60_000);
  expect(onEnd).not.toHaveBeenCalled();
  orphan();
  vi.advanceTimersByTime(60_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('reports that npm exited before the first check, as in a slow set-up', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  orphan();
  const onEnd = vi.fn();
  npmEnds(onEnd);
  vi.advanceTimersByTime(60_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('reports nothing after it was stopped', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  const onEnd = vi.fn();
  npmEnds(onEnd).stop();
  orphan();
  vi.advanceTimersByTime(60_000);
  expect(onEnd).not.toHaveBeenCalled();
});

it('ignores the exit of a parent other than npm', () => {
  vi.stubEnv('npm_lifecycle_event', undefined);
  const onEnd = vi.fn();
  npmEnds(onEnd);
  orphan();
  vi.advanceTimersByTime(60_000);
  expect(onEnd).not.toHaveBeenCalled();
});
