import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { ClusterPaths } from './cluster.ts';

/** Below the range from which systems take ports for outgoing connections, which would occupy it by chance. */
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** The port that this cluster was last given. */
export async function readPort(paths: ClusterPaths): Promise<number> {
  return Number(await readFile(paths.port, 'utf8'));
}

export async function writePort(paths: ClusterPaths, port: number): Promise<void> {
  await writeFile(paths.port, `${port}\n`, { mode: 0o600 });
}

/** A port of the loopback interface on which nothing listens at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
