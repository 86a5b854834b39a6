import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { npmEnds } from './npm-ends.mjs';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(process, 'ppid', 'get').mockReturnValue(500);
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
