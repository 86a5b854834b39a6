import type { Moment } from '../../src/core/clocks.ts';
import type { Knowledge } from '../../src/core/knowledge.ts';
import type { Question } from '../../src/core/question.ts';
import type { Hello, Proof } from '../../src/core/stream.ts';
import type { StreamReader } from '../../src/core/stream-reader.ts';
import { type Facts, START } from './facts.ts';
import type { Planted } from './planted.ts';
import type { Primary } from './primary.ts';

export const MAX_STALENESS_MS = 1000;
const KINDS = ['token', 'user'];

export type Line = { hello: Hello } | { changed: readonly string[] | 'all' } | { proof: Proof; at: number };

export interface Heartbeat {
  readonly heard: number;
  readonly sentAt: number;
  /** How many changes its listening connection was signalled when it was sent. They arrive before it returns. */
  readonly signalled: number;
  readonly of: Primary;
}

export interface Server {
  readonly index: number;
  /** How fast its clocks go. */
  rate: number;
  readonly kinds: readonly string[];
  monotonic: number;
  /** The error of its wall clock, in milliseconds. */
  skew: number;
  feed: Primary;
  pool: Primary;
  /** How many changes of its feed it heard. */
  heard: number;
  /** Since when it hears, on its monotonic clock. */
  since: number;
  recent: { readonly at: number; readonly handles: readonly string[] | 'all' }[];
  heartbeat: Heartbeat | undefined;
  wires: Wire[];
}

/** A connection with a stream on it. */
export interface Wire {
  readonly server: Server;
  readonly nonce: string;
  readonly openedAt: number;
  readonly reader: StreamReader;
  /** Lines that are under way. */
  readonly queue: Line[];
  readonly written: Line[];
  /** Connections that a proxy answers with this stream as well. */
  readonly mirrors: Wire[];
  /** The reading that a server takes which reads its clock too early. */
  readonly earlyNow: number;
  isAccepted: boolean;
  isSubscribed: boolean;
  isOver: boolean;
}

/** An introspection that is under way. */
export interface Asked {
  readonly question: Question;
  /** Several if tokens that were forgotten together are asked about again. */
  readonly tokens: readonly number[];
  readonly server: Server;
  readonly at: number;
  stage: 'sent' | 'parsed' | 'read';
  /** How many requests joined it. */
  joined: number;
  read: { readonly facts: Facts; readonly of: Primary } | undefined;
}

export interface Remembered {
  readonly state: string;
}

export type Build = (now: () => Moment) => Knowledge<Remembered>;

/** Two clocks differ by at most 1 %, as the argument assumes (docs/adr/0080-a-stream-that-proves-it-is-complete.md). */
export const RATES = [0.9951, 1, 1.0049];

export interface Pause {
  readonly until: number;
  /** How long the last proof of a later heartbeat was under way. Undefined until one arrives. */
  provenAfterMs: number | undefined;
}

export interface World {
  /** The true time, in milliseconds. */
  time: number;
  readonly clock: { monotonic: number; wall: number };
  /** How fast the verifier's clocks go. */
  rate: number;
  /** How long a line is under way, in milliseconds. */
  readonly delay: number;
  readonly planted: Planted;
  readonly knowledge: Knowledge<Remembered>;
  readonly servers: readonly Server[];
  primary: Primary;
  failedOverAt: number | undefined;
  wires: Wire[];
  nonces: number;
  readonly recorded: Line[][];
  asked: Asked[];
  /** When both clocks of the verifier's machine stood still the last time. */
  stoodStill: Pause | undefined;
  suspendedAt: number;
  steppedAt: number;
  readonly counts: Record<'recalled' | 'remembered' | 'shared', number>;
}

export interface Setting {
  /** How fast the clocks of the verifier and of both servers go at first. */
  readonly rates: readonly [number, number, number];
  /** The second server tells changes of tokens only. */
  readonly isOlder: boolean;
  readonly delay: number;
}

export function createWorld(build: Build, { rates, isOlder, delay }: Setting, planted: Planted): World {
  const clock = { monotonic: 50_000, wall: 1_000_000 };
  const primary: Primary = { name: 'first', facts: [START], changes: [] };
  const serverOf = (index: number, rate: number): Server => ({
    index,
    rate,
    kinds: isOlder && index === 1 ? ['token'] : KINDS,
    monotonic: 7_000_000 * (index + 1),
    skew: index * 300,
    feed: primary,
    pool: primary,
    heard: 0,
    since: Number.NEGATIVE_INFINITY,
    recent: [],
    heartbeat: undefined,
    wires: [],
  });
  return {
    time: 0,
    clock,
    rate: rates[0],
    delay,
    planted,
    knowledge: build(() => ({ ...clock })),
    servers: [serverOf(0, rates[1]), serverOf(1, rates[2])],
    primary,
    failedOverAt: undefined,
    wires: [],
    nonces: 0,
    recorded: [],
    asked: [],
    stoodStill: undefined,
    suspendedAt: Number.NEGATIVE_INFINITY,
    steppedAt: Number.NEGATIVE_INFINITY,
    counts: { recalled: 0, remembered: 0, shared: 0 },
  };
}
