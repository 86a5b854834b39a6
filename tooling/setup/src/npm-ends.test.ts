import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let npmEnds: typeof import('./npm-ends.mjs').npmEnds;

beforeEach(async () => {
  vi.spyOn(process, 'ppid', 'get').mockReturnValue(500);
  // As if the program began here.
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

it('tells once that npm is gone', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  const onEnd = vi.fn();
  npmEnds(onEnd);
  vi.advanceTimersByTime(60_000);
  expect(onEnd).not.toHaveBeenCalled();
  orphan();
  vi.advanceTimersByTime(60_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('tells that npm was gone before anyone asked, as in a set-up that took long', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  orphan();
  const onEnd = vi.fn();
  npmEnds(onEnd);
  vi.advanceTimersByTime(60_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('tells nothing any more once it was stopped', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  const onEnd = vi.fn();
  npmEnds(onEnd).stop();
  orphan();
  vi.advanceTimersByTime(60_000);
  expect(onEnd).not.toHaveBeenCalled();
});

it('takes no interest in the end of whoever else started us', () => {
  vi.stubEnv('npm_lifecycle_event', undefined);
  const onEnd = vi.fn();
  npmEnds(onEnd);
  orphan();
  vi.advanceTimersByTime(60_000);
  expect(onEnd).not.toHaveBeenCalled();
});
