import type { Moment } from './clocks.ts';
import type { Memory } from './memory.ts';
import { askingAt, type Provenance, type Question } from './question.ts';
import { RULES } from './rules.ts';
import { type Hello, openingStream, type Proof, type Stream } from './stream.ts';
import type { StreamReader } from './stream-reader.ts';
import { continues, provenUntil } from './takeover.ts';

export interface KnowledgeOptions<Answer> {
  readonly memory: Memory<Answer>;
  readonly now: () => Moment;
  /** The age at which what is remembered stops to decide, in milliseconds. The server's is used if it is less. */
  readonly maxStalenessMs: number;
  /** Called when every answer was forgotten, with the answers that were known until then. */
  readonly onForgotten?: (answers: Iterable<readonly [key: string, answer: Answer]>) => void;
}

/**
 * The answers that a verifier remembers, and the time up to which it knows every change. The argument is in
 * docs/adr/0080-a-stream-that-proves-it-is-complete.md.
 */
export interface Knowledge<Answer> {
  /** Begins a stream. Call it before its request is sent; the nonce is the request's own. */
  open(nonce: string): StreamReader;
  /**
   * The answer that is remembered, if it decides now.
   *
   * @param at a reading of the clocks that was just taken
   */
  recall(key: string, at?: Moment): Answer | undefined;
  /**
   * The latest time of day that the servers can have now, in milliseconds since 1970. It is late by the age of the last proof.
   * Infinite if there is no proof.
   */
  latestTime(at?: Moment): number;
  /** The age of the last proof, and so of what is remembered, in milliseconds. Undefined if nothing is proven. */
  age(): number | undefined;
  /** Whether what is remembered decides now. Only then may a request join a question that is under way. */
  isFresh(): boolean;
  /** Begins a question. Call it before its request is sent. It ends by `answered` or `abandon`. */
  ask(): Question;
  /** Whether a request that joined a question may use its answer. Ask before `answered` is called. */
  mayShare(question: Question, provenance: Provenance): boolean;
  /**
   * Takes an answer. It decides nothing if it came too late (`useless`), the request that asked (`used`), or also later requests
   * (`remembered`).
   */
  answered(
    question: Question,
    key: string,
    answer: Answer,
    provenance: Provenance,
  ): 'useless' | 'used' | 'remembered';
  /** Ends a question that got no answer. */
  abandon(question: Question): void;
}

/** @param rules the judgements; tests pass wrong ones */
export function createKnowledge<Answer>(options: KnowledgeOptions<Answer>, rules = RULES): Knowledge<Answer> {
  const { memory, now } = options;
  /** The stream whose proofs count. If it is over, what it proved counts until it is too old. */
  let current: Stream | undefined;
  const streams = new Set<Stream>();
  const questions = new Set<Question>();
  /** The age at which knowledge stops to decide. */
  let longestMs = options.maxStalenessMs;

  function forgetAll(): void {
    for (const question of questions) question.hasAllChanged = true;
    const forgotten = memory.clear();
    options.onForgotten?.(forgotten);
  }

  /** A clock of this process stood still or was set, so nothing that it measured means anything. */
  function startAnew(): false {
    forgetAll();
    for (const stream of streams) stream.isOver = true;
    streams.clear();
    current = undefined;
    return false;
  }

  function end(stream: Stream): false {
    stream.isOver = true;
    streams.delete(stream);
    return false;
  }

  function isFreshAt(at: Moment): boolean {
    if (!current?.hello) return false;
    if (rules.clocksDisagree(current.sentAt, at)) return startAnew();
    const age = ageAt(at);
    return age !== undefined && age <= longestMs;
  }

  function ageAt(at: Moment): number | undefined {
    const bound = current && provenUntil(current, at, rules);
    return bound === undefined ? undefined : at.monotonic - bound;
  }

  /** Whether the current stream tells every later change of the answer, and none was told since the question. */
  function holds(question: Question, provenance: Provenance): boolean {
    if (!current) return false;
    const kinds = provenance.dependencies.map(({ kind }) => kind);
    return !(
      rules.isTouched(question, provenance) ||
      rules.isOtherDatabase(provenance.database, current.lastProof?.database) ||
      !rules.tellsKinds(current, kinds)
    );
  }

  function takeHello(stream: Stream, line: Hello): boolean {
    if (stream.isOver || stream.hello || rules.isForeign(stream, line.nonce)) return end(stream);
    stream.hello = { ...line, arrivedAt: now() };
    longestMs = Math.min(options.maxStalenessMs, line.maxStalenessMs);
    stream.lines += 1;
    return true;
  }

  function takeChanged(stream: Stream, handles: readonly string[] | 'all'): boolean {
    if (stream.isOver || !stream.hello) return end(stream);
    stream.lines += 1;
    if (handles === 'all') forgetAll();
    else {
      for (const handle of handles) {
        memory.drop(handle);
        for (const { changed } of questions) changed.add(handle);
      }
    }
    return true;
  }

  function takeProof(stream: Stream, line: Proof): boolean {
    if (stream.isOver || !stream.hello || rules.hasGap(stream, line.position)) return end(stream);
    stream.lines += 1;
    const at = now();
    const databaseBefore = stream.lastProof?.database ?? stream.hello.database;
    stream.lastProof = line;
    if (rules.clocksDisagree(stream.sentAt, at)) return startAnew();
    const bound = provenUntil(stream, at, rules);
    if (bound === undefined) return end(stream);
    if (rules.isImpossible(bound, at)) return startAnew();
    if (rules.isOtherDatabase(line.database, databaseBefore)) forgetAll();
    if (stream !== current) takeOver(stream, at);
    return true;
  }

  function takeOver(next: Stream, at: Moment): void {
    if (!current || !continues(current, next, at, rules)) forgetAll();
    if (current) end(current);
    current = next;
  }

  return {
    open(nonce) {
      const stream = openingStream(nonce, now());
      streams.add(stream);
      return {
        hello: (line) => takeHello(stream, line),
        changed: (handles) => takeChanged(stream, handles),
        proof: (line) => takeProof(stream, line),
        end: () => void end(stream),
      };
    },
    recall: (key, at = now()) => (isFreshAt(at) ? memory.get(key) : undefined),
    latestTime(at = now()) {
      const passed = ageAt(at);
      return current?.lastProof && passed !== undefined
        ? current.lastProof.time + passed
        : Number.POSITIVE_INFINITY;
    },
    age: () => ageAt(now()),
    isFresh: () => isFreshAt(now()),
    ask() {
      const question = askingAt(now());
      questions.add(question);
      return question;
    },
    mayShare: (question, provenance) => isFreshAt(now()) && holds(question, provenance),
    answered(question, key, answer, provenance) {
      questions.delete(question);
      const at = now();
      const waited = at.monotonic - question.askedAt.monotonic;
      if (rules.isLate(waited, longestMs) || rules.clocksDisagree(question.askedAt, at)) return 'useless';
      if (!holds(question, provenance)) {
        // An older answer about the token may allow more than this one.
        memory.forget(key);
        return 'used';
      }
      const handles = provenance.dependencies.map(({ handle }) => handle);
      memory.keep(key, answer, handles);
      return 'remembered';
    },
    abandon: (question) => void questions.delete(question),
  };
}
