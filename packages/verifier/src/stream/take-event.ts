import type { Hello, Proof } from '../core/stream.ts';
import type { StreamReader } from '../core/stream-reader.ts';
import { number, text, texts } from '../wire.ts';

/**
 * Gives an event of the stream to the core. Returns the proof if it was one that counts.
 *
 * @throws if the event is not as Gatehouse writes it, or the core ended the stream
 */
export function takeEvent(data: string, reader: StreamReader): Proof | undefined {
  const event = JSON.parse(data);
  const proof = event.proof === undefined ? undefined : toProof(event.proof);
  const isTaken = proof ? reader.proof(proof) : takeOther(event, reader);
  if (!isTaken) throw new Error('the stream proves nothing more');
  return proof;
}

function takeOther(event: Record<string, unknown>, reader: StreamReader): boolean {
  if (event['hello'] !== undefined) return reader.hello(toHello(event['hello'] as Record<string, unknown>));
  const changed = event['changed'];
  return reader.changed(changed === 'all' ? 'all' : texts(changed));
}

const toHello = (hello: Record<string, unknown>): Hello => ({
  nonce: text(hello['nonce']),
  now: number(hello['now']),
  replayFrom: number(hello['replay_from']),
  maxStalenessMs: number(hello['max_staleness_ms']),
  kinds: texts(hello['kinds']),
  database: text(hello['database']),
});

const toProof = (proof: Record<string, unknown>): Proof => ({
  heard: number(proof['heard']),
  time: number(proof['time']),
  position: number(proof['position']),
  database: text(proof['database']),
});
