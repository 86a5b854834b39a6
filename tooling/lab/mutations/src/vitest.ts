import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { JsonTestResults } from 'vitest/node';

export interface VitestRun {
  /** `timed out` where it took longer than it may. */
  readonly ended: 'passed' | 'failed' | 'timed out';
  /** Vitest's report of each test file, by the file's absolute path; empty if there was no report. */
  readonly files: JsonTestResults['testResults'];
}

/** How long a run may take to stop its PostgreSQL after the signal to end. */
const STOP_MS = 15_000;

/** A test that waits forever should fail before its run is ended. */
const TEST_MS = 90_000;

/** Runs Vitest in a checkout, with arguments such as `run`, and returns its report. */
export async function runVitest(
  root: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<VitestRun> {
  const output = join(root, 'mutation-results.json');
  await rm(output, { force: true });
  // It has its own process group, because a worker in an endless loop outlives its parent.
  const options = [`--testTimeout=${TEST_MS}`, '--reporter=json', `--outputFile.json=${output}`];
  const child = spawn('vitest', [...args, ...options], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  });
  const end = () => endGroup(child.pid);
  process.once('exit', end);
  const exit = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
  const over = new AbortController();
  const inTime = await Promise.race([
    exit.then(() => true),
    setTimeout(timeoutMs, false, { signal: over.signal }),
  ]).finally(() => over.abort());
  if (!inTime) {
    child.kill('SIGTERM');
    await Promise.race([exit, setTimeout(STOP_MS, undefined, { ref: false })]);
  }
  end();
  process.off('exit', end);
  const status = await exit;
  if (!inTime) return { ended: 'timed out', files: [] };
  const text = await readFile(output, 'utf8').catch(() => '{"testResults":[]}');
  const { testResults }: JsonTestResults = JSON.parse(text);
  return { ended: status === 0 ? 'passed' : 'failed', files: testResults };
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
