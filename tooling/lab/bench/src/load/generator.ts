// The load generator, a separate process: reads a plan from standard input and writes its results to standard output.
// It stops early when standard input ends, so that it never outlives its parent.
import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { sendAsFastAsAnswered } from './as-fast-as-answered.ts';
import { sendPaced, unrecordedSeconds } from './paced.ts';
import { createPicker } from './picker.ts';
import type { LoadPlan, LoadRequest, LoadResult } from './plan.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { value: plan } = await lines.next();
const stopping = new AbortController();
void lines.next().then(() => stopping.abort());
process.stdout.write(`${JSON.stringify(await generate(JSON.parse(plan ?? ''), stopping.signal))}\n`);
process.exit();

async function generate({ rate, ...load }: LoadPlan, stopped: AbortSignal): Promise<LoadResult> {
  const requests: readonly LoadRequest[] = readFileSync(load.requests, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const pick = createPicker(load.pick, requests.length, load.offset ?? 0, Math.random);
  const next = () => requests[pick()] as LoadRequest;

  const statuses = new Map<number, number>();
  // autocannon's own histogram counts whole milliseconds, longer than most of these times.
  const microseconds = createHistogram();
  const { seconds = 1 } = load;
  const unrecordedMs = rate === undefined ? 0 : unrecordedSeconds({ rate, seconds }) * 1000;
  const startedAt = performance.now();
  let lastAt = startedAt;
  const onResponse = (status: number, milliseconds: number) => {
    lastAt = performance.now();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (lastAt - startedAt >= unrecordedMs) microseconds.record(Math.max(1, Math.round(milliseconds * 1000)));
  };
  const options = { ...load, requests, stopped, next, onResponse };
  await (rate === undefined ? sendAsFastAsAnswered(options) : sendPaced({ ...options, rate, seconds }));

  const answered = statuses.get(200) ?? 0;
  if (answered === 0 || statuses.size > 1) {
    const seen = [...statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
    throw new Error(`not every answer was 200: ${seen || 'no answer at all'}`);
  }
  return {
    answered,
    seconds: (lastAt - startedAt) / 1000,
    p50Ms: microseconds.percentile(50) / 1000,
    p99Ms: microseconds.percentile(99) / 1000,
    maxMs: microseconds.max / 1000,
  };
}
