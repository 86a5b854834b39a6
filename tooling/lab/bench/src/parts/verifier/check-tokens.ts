// A process that checks tokens which its verifier remembers, in turn with what their keys cost. It runs with --expose-gc.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createVerifier } from '@gatehouse/verifier';
import { askAbout } from './ask-about.ts';
import type { ChecksPlan, ChecksReport } from './checks.ts';

const { url, credential, scope, tokens: file, rounds }: ChecksPlan = JSON.parse(process.argv[2] ?? '');
const wanted = { scope };
const tokens: readonly string[] = JSON.parse(readFileSync(file, 'utf8'));
const verifier = createVerifier({ url, credential, maxTokens: tokens.length });

/** The requests before the heap is measured, so that it has what Node keeps for its connections. */
const WARM_UP = 500;

const collect = globalThis.gc as () => void;
function heapBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Headers as a client sends them. Node makes new strings for each request, so nothing about these is known from before. */
function requestsOf(texts: readonly string[]) {
  return texts.map((token) => ({
    rawHeaders: [
      ...['Host', 'orders.example:3000', 'User-Agent', 'curl/8.14.1', 'Accept', 'application/json'],
      ...['Accept-Encoding', 'gzip, deflate', 'Connection', 'keep-alive'],
      ...['Authorization', Buffer.from(`Bearer ${token}`).toString('latin1')],
    ],
  }));
}

function shuffled(texts: readonly string[]): readonly string[] {
  return texts
    .map((text) => ({ text, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text);
}

/** Returns the CPU of one call, in microseconds. */
function cpuOf(count: number, work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const isKnown = (token: string) => verifier.verifyNow(token, wanted)?.ok === true;

/** How often the memory is measured before the benchmark gives up. */
const TRIES = 10;

/** Returns the bytes for one token. It counts only if all are remembered: a machine that is too busy makes the verifier forget. */
async function measureMemory(): Promise<number> {
  await askAbout(verifier, tokens.slice(0, WARM_UP), wanted);
  const before = heapBytes();
  for (let turn = 0; turn < TRIES; turn += 1) {
    await askAbout(verifier, tokens, wanted);
    const bytes = (heapBytes() - before) / (tokens.length - WARM_UP);
    await askAbout(verifier, tokens.slice(0, 1), wanted);
    if (tokens.every(isKnown)) return bytes;
    console.error('the verifier forgot tokens meanwhile; trying again');
  }
  throw new Error(
    'the verifier forgot tokens each time when its memory was measured: the machine is too busy',
  );
}

const bytesPerToken = await measureMemory();
const [checkMicroseconds, keyMicroseconds]: [number[], number[]] = [[], []];
for (let round = -3; round < rounds; round += 1) {
  const requests = requestsOf(shuffled(tokens));
  // The stream goes on between rounds.
  await new Promise((resolve) => setTimeout(resolve, 20));
  let undecided = 0;
  const check = cpuOf(requests.length, () => {
    for (const request of requests) if (!verifier.verifyNow(request, wanted)?.ok) undecided += 1;
  });
  // A machine that stopped for a second is to be asked again, and says nothing about the cost.
  if (undecided > 0) {
    round -= 1;
    await askAbout(verifier, tokens, wanted);
    continue;
  }
  const key = cpuOf(tokens.length, () => {
    for (const token of tokens) hash('sha256', token, 'base64');
  });
  if (round < 0) continue;
  checkMicroseconds.push(check);
  keyMicroseconds.push(key);
}
await verifier.close();
process.send?.({ checkMicroseconds, keyMicroseconds, bytesPerToken } satisfies ChecksReport);
process.disconnect?.();
