// The load generator, a process of its own: reads a plan from standard input, writes what it saw to standard
// output. It stops early when standard input ends, so that it never outlives whoever started it.
import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { createPicker } from './picker.ts';
import type { LoadPlan, LoadRequest, LoadResult } from './plan.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { value: plan } = await lines.next();
const stopped = lines.next();
process.stdout.write(`${JSON.stringify(await generate(JSON.parse(plan ?? '')))}\n`);
process.exit();

function generate(plan: LoadPlan): Promise<LoadResult> {
  const requests: readonly LoadRequest[] = readFileSync(plan.requests, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const pick = createPicker(plan.pick, requests.length, plan.offset ?? 0, Math.random);
  // Its own histogram counts whole milliseconds, longer than most of what is measured here.
  const microseconds = createHistogram();

  const options: autocannon.Options = {
    url: plan.url,
    connections: plan.connections,
    timeout: 30,
    ...(plan.amount === undefined ? { duration: plan.seconds ?? 1 } : { amount: plan.amount }),
    ...(plan.rate !== undefined && { overallRate: plan.rate }),
    // One request is built once for all; of several, each is built when it is sent.
    requests:
      requests.length === 1
        ? [...requests]
        : [{ setupRequest: (defaults) => ({ ...defaults, ...requests[pick()] }) }],
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    // It ends with the second in which the last answer came; we, with that answer.
    let lastAt = startedAt;
    const running = autocannon(options, (error, result) => {
      if (error) reject(error);
      else resolve(summary(result, microseconds, (lastAt - startedAt) / 1000));
    });
    running.on('response', (_client, _status, _bytes, milliseconds) => {
      lastAt = performance.now();
      microseconds.record(Math.max(1, Math.round(milliseconds * 1000)));
    });
    void stopped.then(() => running.stop());
  });
}

function summary(
  { statusCodeStats = {}, errors, timeouts }: autocannon.Result,
  microseconds: ReturnType<typeof createHistogram>,
  seconds: number,
): LoadResult {
  if (errors > 0 || Object.keys(statusCodeStats).some((status) => status !== '200')) {
    const statuses = JSON.stringify(statusCodeStats);
    throw new Error(`not every answer was 200: ${statuses}, ${errors} errors, ${timeouts} of them timeouts`);
  }
  return {
    answered: microseconds.count,
    seconds,
    p50Ms: microseconds.percentile(50) / 1000,
    p99Ms: microseconds.percentile(99) / 1000,
    maxMs: microseconds.max / 1000,
  };
}
