import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Fault } from './faults.ts';
import type { FaultResult } from './results.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export type FaultRun = Pick<FaultResult, 'seconds' | 'tests' | 'figures'>;

const report = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

/** Runs the tests of one fault, and collects what they found out. */
export async function runFault(name: string, fault: Fault, size: 'short' | 'full'): Promise<FaultRun> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
  const [results, figures] = [join(folder, 'results.json'), join(folder, 'figures.jsonl')];
  const since = performance.now();
  try {
    await vitest([...fault.files, ...(fault.only === undefined ? [] : ['-t', fault.only])], results, {
      FAULTS_SIZE: size,
      FAULTS_FIGURES: figures,
    });
    return {
      seconds: Math.round((performance.now() - since) / 1000),
      tests: await countTests(results),
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
): Promise<void> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const child = spawn('vitest', ['run', ...args, ...reporters], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  // What it says is read from its results; without any, the run fails.
  await new Promise<void>((resolve, reject) => child.on('error', reject).on('exit', () => resolve()));
}

async function countTests(file: string): Promise<FaultResult['tests']> {
  const { testResults } = report.parse(JSON.parse(await readFile(file, 'utf8')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const withStatus = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
  return { passed: withStatus('passed'), failed: withStatus('failed') + brokenFiles.length };
}

async function figuresOf(name: string, file: string): Promise<FaultResult['figures']> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ fault }) => fault === name)
    .map(({ fault: _, ...figure }) => figure);
}
