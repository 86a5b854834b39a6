import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quickFolder } from '@gatehouse/test-database/quick-folder';
import { prepareCluster } from '../src/prepare-cluster.ts';

const run = promisify(execFile);

/** A data folder as the first start leaves it, which nothing uses: copying it takes a fraction of making one. */
export interface ClusterTemplate {
  readonly path: string;
  remove(): Promise<void>;
}

export async function makeClusterTemplate(): Promise<ClusterTemplate> {
  const path = await mkdtemp(join(quickFolder(), 'gatehouse-template-'));
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await prepareCluster(path, { fsync: 'off' });
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Gives an empty data folder the cluster of the template, with its owners and modes. */
export async function copyCluster(template: string, dataDir: string): Promise<void> {
  await run('cp', ['-a', join(template, 'postgres'), dataDir]);
}
