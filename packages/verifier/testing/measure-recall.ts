/**
 * Measures a remembered token: `node --expose-gc packages/verifier/testing/measure-recall.ts TOKENS`. It prints how long a recall
 * takes in microseconds, with both readings of the clocks, and how many bytes a token takes on the heap. Each token has its own
 * user; all are of 20 accounts, one key and one service.
 */
import { createHash } from 'node:crypto';
import { type Moment, readClocks } from '../src/core/clocks.ts';
import { createKnowledge, type Knowledge } from '../src/core/knowledge.ts';
import { createMemory } from '../src/core/memory.ts';
import type { Provenance } from '../src/core/question.ts';

export interface Figures {
  readonly recallMicroseconds: number;
  readonly bytesPerToken: number;
}

const TOKENS = Number(process.argv[2] ?? 100_000);
const RECALLS = 1_000_000;

/** The clocks stand still while the memory is filled, however long that takes. */
const start = readClocks();
let filledMs: number | undefined;
function now(): Moment {
  if (filledMs === undefined) return start;
  const { monotonic, wall } = readClocks();
  return { monotonic: monotonic - filledMs, wall: wall - filledMs };
}

const keyOf = (serial: number) => createHash('sha256').update(`token ${serial}`).digest().toString('latin1');
const handleOf = (record: string) =>
  createHash('sha256').update(record).digest().subarray(0, 16).toString('base64url');

/** Strings of an answer are not shared. */
const answerOf = (serial: number): object =>
  JSON.parse(
    JSON.stringify({
      user: serial,
      account: serial % 20,
      role: 'member',
      token: `01890000-0000-7000-8000-${String(serial).padStart(12, '0')}`,
      scopes: ['orders:read', 'orders:write'],
      expiresAt: 1_790_000_000_000 + serial,
    }),
  );

function provenanceOf(serial: number): Provenance {
  const records = { token: serial, user: serial, account: serial % 20, key: 1, service: 1 };
  const dependencies = Object.entries(records).map(([kind, id]) => ({
    kind,
    handle: handleOf(`${kind}:${id}`),
  }));
  return { database: '7500000000000000000/1/1790000000', dependencies };
}

/** Opens a stream that has just proved everything, and takes over from the one before. */
function prove(knowledge: Knowledge<object>): void {
  const reader = knowledge.open('nonce');
  const { monotonic, wall: time } = now();
  const kinds = ['token', 'user', 'account', 'key', 'service'];
  const database = provenanceOf(0).database;
  reader.hello({
    nonce: 'nonce',
    now: monotonic,
    replayFrom: monotonic - 10_000,
    maxStalenessMs: 60_000,
    kinds,
    database,
  });
  reader.proof({ heard: monotonic, time, position: 1, database });
}

globalThis.gc?.();
const empty = process.memoryUsage().heapUsed;
const knowledge = createKnowledge<object>({
  memory: createMemory(TOKENS),
  now,
  maxStalenessMs: 60_000,
});
prove(knowledge);
for (let serial = 0; serial < TOKENS; serial += 1) {
  const outcome = knowledge.answered(knowledge.ask(), keyOf(serial), answerOf(serial), provenanceOf(serial));
  if (outcome !== 'remembered') throw new Error(`The answer was ${outcome}.`);
}
globalThis.gc?.();
const bytesPerToken = Math.round((process.memoryUsage().heapUsed - empty) / TOKENS);

const keys = Array.from({ length: Math.min(TOKENS, 10_000) }, (_, serial) => keyOf((serial * 7919) % TOKENS));
prove(knowledge);
filledMs = readClocks().monotonic - start.monotonic;
let found = 0;
const begin = process.cpuUsage();
for (let recall = 0; recall < RECALLS; recall += 1) {
  if (recall % 20_000 === 0) prove(knowledge);
  if (knowledge.recall(keys[recall % keys.length] as string)) found += 1;
}
const recallMicroseconds = Number((process.cpuUsage(begin).user / RECALLS).toFixed(3));
if (found !== RECALLS) throw new Error(`Only ${found} of ${RECALLS} recalls found their token.`);
const figures: Figures = { recallMicroseconds, bytesPerToken };
process.stdout.write(`${JSON.stringify(figures)}\n`);
