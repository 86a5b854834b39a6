import { afterEach, expect, it, vi } from 'vitest';
import { DataFolder } from '../testing/data-folder.ts';
import { joinCluster } from './join-cluster.ts';
import { prepareCluster } from './prepare-cluster.ts';
import * as starting from './start-postmaster.ts';

/** As long as a server may take that replays the log of one that was killed. */
const SLOW_START_MS = 59_000;

vi.mock('./start-postmaster.ts', { spy: true });
afterEach(() => vi.restoreAllMocks());

it('a start that takes long is joined, and the server is stopped on leaving', async () => {
  await using folder = await DataFolder.make();
  const cluster = await prepareCluster(folder.path, { fsync: 'off' });
  const [now, { startPostmaster }] = [
    performance.now.bind(performance),
    await vi.importActual<typeof starting>('./start-postmaster.ts'),
  ];
  let skipped = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
  vi.mocked(starting.startPostmaster).mockImplementation(async (started) => {
    const outcome = await startPostmaster(started);
    skipped += SLOW_START_MS;
    return outcome;
  });
  const membership = await joinCluster(cluster);
  expect(skipped).toBe(SLOW_START_MS);
  await membership?.leave();
  expect(await folder.postmaster()).toBeUndefined();
});
