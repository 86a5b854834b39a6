import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { PROBLEMS, ROUTES } from '@gatehouse/api-contract';
import { outcomesOf, type ProblemName, type Route } from '@gatehouse/extension-kit/http';
import { EXTENSIONS } from '@gatehouse/extensions';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { shiftNotes } from '@gatehouse/shift-notes';
import { createTestDatabase } from '@gatehouse/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withExample } from '../stage/example-extension.ts';
import { residentBytes } from '../stage/metrics.ts';
import { type ServerNode, startNode } from '../stage/node.ts';
import { settingsOf } from '../stage/population.ts';
import { type FuzzOptions, fuzz } from './fuzz.ts';
import { knownFacts, prepare } from './known-facts.ts';
import type { KnownFacts } from './requests.ts';
import { warmUp } from './warm-up.ts';

const SIZE = sized({
  short: { requests: 2000, warmUp: 1000, sabotaged: 500, timeoutMs: 120_000 },
  full: { requests: 1_000_000, warmUp: 200_000, sabotaged: 2000, timeoutMs: 14_400_000 },
});
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? SIZE.requests);
/** `FUZZ_SEED` repeats the requests of a run. */
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);

/** Outcomes that need chance, or a server in trouble. */
const UNCERTAIN: ReadonlySet<string> = new Set<ProblemName>([
  'malformed_request',
  'cross_site_request',
  'request_timeout',
  'headers_too_large',
  'repeated_authorization',
  'too_many_attempts',
  'too_many_streams',
  'internal_error',
  'unavailable',
  'overloaded',
]);

/** The extensions of the installation, and the example. */
const REGISTERED = [shiftNotes, ...EXTENSIONS];
const OF_EXTENSIONS = (await Promise.all(REGISTERED.map(({ http }) => http?.()))).flatMap(
  (http) => http?.routes ?? [],
);

/**
 * The outcomes that must occur, or the test proves nothing: every status of each route except the uncertain ones, and
 * two of these for `getOrg`.
 */
const OUTCOMES = [
  ...[...Object.values<Route>(ROUTES), ...OF_EXTENSIONS].flatMap((route) =>
    [...outcomesOf(route)]
      .filter(([, names]) => names.length === 0 || names.some((name) => !UNCERTAIN.has(name)))
      .map(([status]) => `${route.operationId} ${status}`),
  ),
  ...['getOrg 400', 'getOrg 431'],
  ...['elsewhere 204', 'elsewhere 400', 'elsewhere 404', 'elsewhere 405'],
];

let node: ServerNode;
let known: KnownFacts;
let complaints: readonly string[];
const ending = new AsyncDisposableStack();

beforeAll(async () => {
  const database = ending.use(await createTestDatabase());
  const settings = {
    ...settingsOf(database.url),
    // The credentials decide about sign-ins, not the limits.
    SIGN_IN_ADDRESS_ATTEMPTS: '1000000',
    SIGN_IN_ACCOUNT_FAILURES: '1000000',
  };
  const prepared = await prepare(settings, REGISTERED);
  node = ending.use(await startNode({ ...settings, ...withExample() }));
  complaints = complaintsOf(node);
  known = await knownFacts(node, prepared);
  await warmUp(node, known);
});
afterAll(() => ending.disposeAsync());

/** Collects the lines of its log about failures from now on. */
function complaintsOf({ process }: ServerNode): readonly string[] {
  const lines: string[] = [];
  createInterface({ input: process.stdout as Readable }).on('line', (line) => {
    if (/"level":"(?:warn|error|fatal)"/.test(line)) lines.push(line);
  });
  return lines;
}

const fuzzWith = (options: Pick<FuzzOptions, 'requests' | 'falsify' | 'onProgress'>) =>
  fuzz({ url: node.url, known, seed: SEED, ...options });

/** The growth of memory from the beginning to the end, as a share; the minimum of ten measurements each. */
function growthOf(looks: readonly number[]): number {
  return Math.min(...looks.slice(-10)) / Math.min(...looks.slice(0, 10)) - 1;
}

test(`${REQUESTS} generated requests get documented responses, and no fault (seed ${SEED})`, {
  timeout: SIZE.timeoutMs,
}, async () => {
  const resident: number[] = [];
  const { answered, outcomes, directed, failures, slowestMs } = await fuzzWith({
    requests: REQUESTS,
    async onProgress(sofar) {
      if (sofar >= SIZE.warmUp) resident.push(await residentBytes(node.opsUrl));
    },
  });
  const faults = [...outcomes]
    .filter(([outcome]) => / 5\d\d$/.test(outcome))
    .reduce((sum, [, count]) => sum + count, 0);
  const growth = growthOf(resident);
  recordFigures('F1', [
    { name: 'requests', measured: `${answered}, seed ${SEED}` },
    { name: 'combinations of operation and status that occurred', measured: String(outcomes.size) },
    none('answers 5xx', faults),
    none('undocumented or missing responses', failures.length),
    { name: 'slowest answer', measured: `${slowestMs.toFixed(0)} ms` },
    {
      name: `resident memory, from ${SIZE.warmUp} requests to the end`,
      measured: `${(100 * growth).toFixed(1)} %`,
      bar: '≤ +5 %',
      holds: growth <= 0.05,
    },
  ]);
  expect(failures).toEqual([]);
  expect(complaints).toEqual([]);
  expect(OUTCOMES.filter((outcome) => !directed.has(outcome))).toEqual([]);
  // Chance decides which rare outcomes the generated requests lead to.
  const generated = OUTCOMES.filter((outcome) => outcomes.has(outcome));
  if (!process.env.FUZZ_REQUESTS) expect(generated.length).toBeGreaterThan(0.75 * OUTCOMES.length);
  expect(answered).toBe(REQUESTS);
});

test('a route that fails for some input is detected, even with a documented response', async () => {
  const { failures } = await fuzzWith({
    requests: SIZE.sabotaged,
    falsify: ({ method, target }, answer) =>
      method === 'GET' && /^\/api\/v1\/orgs\/\d{10,}$/.test(target)
        ? { ...answer, status: 500, body: JSON.stringify(PROBLEMS.internal_error) }
        : answer,
  });
  expect(failures.length).toBeGreaterThan(0);
  expect(new Set(failures.map(({ problems }) => problems[0]))).toEqual(new Set(['500']));
});

test('a response with an additional member is detected', async () => {
  const { failures } = await fuzzWith({
    requests: SIZE.sabotaged,
    falsify: ({ target }, answer) =>
      target.startsWith('/api/v1/orgs/') && answer.status === 200 && answer.body !== ''
        ? { ...answer, body: answer.body.replace('{', '{"account_id":1,') }
        : answer,
  });
  expect(failures.length).toBeGreaterThan(0);
  for (const { problems } of failures)
    expect(problems.join()).toContain('must NOT have additional properties');
});
