import { afterEach, expect, it, vi } from 'vitest';
import { DataFolder } from '../testing/data-folder.ts';
import { joinCluster } from './join-cluster.ts';
import { prepareCluster } from './prepare-cluster.ts';
import * as starting from './start-postmaster.ts';

/** How long a server may take to replay the write-ahead log of a killed one. */
const SLOW_START_MS = 59_000;

vi.mock('./start-postmaster.ts', { spy: true });
afterEach(() => vi.restoreAllMocks());

it('joins a slow start, and stops the server on leaving', async () => {
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
  const membership = await joinCluster(cluster, () => true);
  expect(skipped).toBe(SLOW_START_MS);
  await membership?.leave();
  expect(await folder.postmaster()).toBeUndefined();
});
