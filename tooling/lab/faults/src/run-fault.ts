import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonTestResults } from 'vitest/node';
import type { Fault } from './faults.ts';
import type { FaultResult } from './results.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export type FaultRun = Pick<FaultResult, 'seconds' | 'tests' | 'figures'>;

/** Runs the tests of one fault, and collects their figures. */
export async function runFault(name: string, fault: Fault, size: 'short' | 'full'): Promise<FaultRun> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
  const [results, figures] = [join(folder, 'results.json'), join(folder, 'figures.jsonl')];
  const since = performance.now();
  try {
    const args = [...fault.files, ...(fault.only === undefined ? [] : ['-t', fault.only])];
    const status = await vitest(args, results, { FAULTS_SIZE: size, FAULTS_FIGURES: figures });
    return {
      seconds: Math.round((performance.now() - since) / 1000),
      tests: countedAsFailed(await countTests(results), status),
      figures: await figuresOf(name, figures),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function vitest(
  args: readonly string[],
  results: string,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const child = spawn('vitest', ['run', ...args, ...reporters], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  // The outcome is read from the results file; without one, the run fails.
  return new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
}

async function countTests(file: string): Promise<FaultResult['tests']> {
  const { testResults }: JsonTestResults = JSON.parse(await readFile(file, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  // For example by a hook, after which its tests count as skipped.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const withStatus = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
  return { passed: withStatus('passed'), failed: withStatus('failed') + brokenFiles.length };
}

/** A run without tests, or with an error outside a test, is also a failure. */
export function countedAsFailed(
  { passed, failed }: FaultResult['tests'],
  status: number | null,
): FaultResult['tests'] {
  const isSound = passed > 0 && status === 0;
  return { passed, failed: isSound ? failed : Math.max(1, failed) };
}

async function figuresOf(name: string, file: string): Promise<FaultResult['figures']> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ fault }) => fault === name)
    .map(({ fault: _, ...figure }) => figure);
}
