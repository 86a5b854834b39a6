import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../stage/node.ts';
import type { StreamProxy } from './stream-proxy.ts';
import { REPLAYS_NOTHING } from './wrong-servers.ts';
import {
  IGNORES_GAPS,
  PROOF_HOLDS_TO_ARRIVAL,
  READS_FOREIGN_STREAMS,
  READS_JOINED_STREAMS,
} from './wrong-verifiers.ts';

/** Something that a proxy does to streams of changes. */
export interface ProxyFault {
  readonly does: string;
  /** How old the stream is before, in milliseconds. */
  readonly ageMs: number;
  /** Begins the fault, and resolves when a token is to be revoked. */
  begin(streams: StreamProxy): Promise<void> | void;
  /** Called once the token is revoked. */
  revoked?(streams: StreamProxy): void;
  /** The twin that the fault harms, and the settings of its processes. */
  readonly twin: string;
  readonly verifier?: Settings;
  readonly server?: Settings;
}

const BUFFERED_MS = 3000;

export const PROXY_FAULTS: readonly ProxyFault[] = [
  {
    does: 'cuts the stream during a change',
    // From then on, a server tells enough again for the verifier to keep its memory.
    ageMs: 6500,
    begin(streams) {
      streams.refuse(true);
      streams.cutReaders();
    },
    revoked: (streams) => streams.refuse(false),
    twin: 'a verifier whose server tells nothing again',
    server: REPLAYS_NOTHING,
  },
  {
    does: 'buffers each line for 3 s',
    ageMs: 0,
    begin: (streams) => streams.carryEvents((_, pass) => void setTimeout(pass, BUFFERED_MS)),
    twin: 'a verifier that believes a proof up to its arrival',
    verifier: PROOF_HOLDS_TO_ARRIVAL,
  },
  {
    does: 'swallows a change',
    ageMs: 0,
    begin(streams) {
      let swallowed = false;
      streams.carryEvents((event, pass) => {
        if (swallowed || !event.startsWith('{"changed"')) pass();
        else swallowed = true;
      });
    },
    twin: 'a verifier that does not count lines',
    verifier: IGNORES_GAPS,
  },
  {
    does: 'joins a stream to an older one, and then falls silent',
    ageMs: 2000,
    async begin(streams) {
      streams.join(true);
      streams.cutReaders();
      // Until the verifier has asked for another stream.
      await delay(700);
      streams.carryEvents(() => undefined);
    },
    twin: 'a verifier that reads the streams of others, also from the future',
    verifier: READS_JOINED_STREAMS,
  },
  {
    does: 'replays a stream',
    ageMs: 2500,
    async begin(streams) {
      streams.replay(true);
      streams.cutReaders();
      // Until the verifier has asked for another stream, and remembers tokens again if it believes it.
      await delay(900);
    },
    twin: 'a verifier that reads the streams of others',
    verifier: READS_FOREIGN_STREAMS,
  },
];

/** Ends every fault. */
export function mend(streams: StreamProxy): void {
  streams.refuse(false);
  streams.carryEvents((_, pass) => pass());
}
