import type { CheckedAnswer } from '@gatehouse/api-contract/testing';
import fc from 'fast-check';
import { createKeptConnection } from '../stage/kept-connection.ts';
import { directedRequests } from './directed-requests.ts';
import { createJudge } from './judge.ts';
import { fetchDocument, operationsOf } from './openapi.ts';
import { type FuzzRequest, fuzzRequests, type KnownFacts } from './requests.ts';

export interface FuzzOptions {
  readonly url: string;
  readonly known: KnownFacts;
  readonly requests: number;
  /** The seed: repeats the same requests, in the same order except for concurrency. */
  readonly seed: number;
  /** Called at intervals with the number of answered requests. */
  readonly onProgress?: (answered: number) => Promise<void> | void;
  /** Falsifies responses, for a sabotage twin. */
  readonly falsify?: (request: FuzzRequest, answer: CheckedAnswer) => CheckedAnswer;
}

export interface Failure {
  readonly problems: readonly string[];
  /** How to repeat it. */
  readonly again: string;
  readonly request: string;
  readonly answer: string;
}

export interface FuzzResult {
  /** The number of generated requests that were answered. */
  readonly answered: number;
  /** The number of responses to generated requests, by operation and status. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The same for the directed requests, which come first. */
  readonly directed: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
  /** The slowest response, in milliseconds. */
  readonly slowestMs: number;
}

const CONNECTIONS = 20;
/**
 * The number of clients that send sign-ins. A server hashes passwords only when nothing else needs the processor, so
 * with other load, more sign-ins at once would wait too long.
 */
const SIGN_IN_CONNECTIONS = 2;
/** The number of requests generated at a time, from a seed of their own. */
export const BATCH = 500;
/** The number of reported failures after which the run stops. */
const MAX_FAILURES = 20;

/** Sends directed and then generated requests, and checks every response against the server's own document. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { url, known, requests, seed, onProgress, falsify = (_, answer) => answer } = options;
  const document = await fetchDocument(url);
  const operations = operationsOf(document);
  const judge = createJudge(document, operations);
  const arbitrary = fuzzRequests(document, operations, known);
  const outcomes = new Map<string, number>();
  const directed = new Map<string, number>();
  const failures: Failure[] = [];
  let answered = 0;
  let slowestMs = 0;
  const connections = Array.from({ length: CONNECTIONS }, () => createKeptConnection(url));

  async function sendAll(all: readonly FuzzRequest[], counts: Map<string, number>, batchSeed: number) {
    const batch = Map.groupBy(all, isSignIn);
    const [signIns, others] = [true, false].map((isOne) => (batch.get(isOne) ?? []).values());
    await Promise.all(
      connections.map(async (connection, index) => {
        for (const request of (index < SIGN_IN_CONNECTIONS ? signIns : others) ?? []) {
          let answer: CheckedAnswer | undefined;
          let found: readonly string[];
          const sentAt = performance.now();
          try {
            answer = falsify(request, await connection.exchange(request.bytes, request.method === 'HEAD'));
            const { outcome, problems } = judge(request, answer);
            counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
            found = problems;
          } catch (error) {
            found = [String(error)];
          }
          slowestMs = Math.max(slowestMs, performance.now() - sentAt);
          if (found.length > 0) failures.push(failureOf(found, batchSeed, request, answer));
        }
      }),
    );
  }

  await sendAll(directedRequests(operations, known), directed, seed);
  for (let sent = 0; sent < requests && failures.length < MAX_FAILURES; sent += BATCH) {
    const batchSeed = seed + sent / BATCH;
    const batch = fc.sample(arbitrary, { seed: batchSeed, numRuns: Math.min(BATCH, requests - sent) });
    await sendAll(batch, outcomes, batchSeed);
    answered += batch.length;
    await onProgress?.(answered);
  }
  for (const connection of connections) connection[Symbol.dispose]();
  return { answered, outcomes, directed, failures, slowestMs };
}

function isSignIn({ method, target }: FuzzRequest): boolean {
  return method === 'POST' && target.includes('/auth');
}

function failureOf(
  problems: readonly string[],
  batchSeed: number,
  { bytes }: FuzzRequest,
  answer: CheckedAnswer | undefined,
): Failure {
  return {
    problems,
    again: `FUZZ_SEED=${batchSeed} FUZZ_REQUESTS=${BATCH}`,
    request: JSON.stringify(bytes.toString('latin1')),
    answer: JSON.stringify(answer && { ...answer, headers: Object.fromEntries(answer.headers) }),
  };
}
