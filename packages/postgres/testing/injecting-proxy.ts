import type { Socket } from 'node:net';
import { openRelay } from '@gatehouse/test-database';
import { onTestFinished } from 'vitest';

function message(type: string, text: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

const THE_END = message('E', 'SFATAL\0C57P01\0Mthe end\0\0');

/** A proxy to the database that can inject messages for its only client. */
export async function openInjectingProxy(url: string) {
  let upstream: Socket | undefined;
  let swallow: (() => void) | undefined;
  let suffix: Buffer = Buffer.alloc(0);
  let last: string | undefined;
  const relay = await openRelay(url, {
    carry(pass, { bytes, isRequest, to }) {
      if (isRequest) {
        upstream = to;
        if (last !== undefined && bytes.includes(last)) suffix = THE_END;
        return pass();
      }
      if (!swallow) to.write(Buffer.concat([bytes, suffix]));
      swallow?.();
      swallow = undefined;
    },
  });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return {
    url: relay.url,
    /** Runs a short statement on the newest connection, while its client is silent. */
    async inject(statement: string): Promise<void> {
      const answered = Promise.withResolvers<void>();
      swallow = answered.resolve;
      upstream?.write(message('Q', `${statement}\0`));
      await answered.promise;
    },
    /** From now on, each answer arrives together with the server's message that the session is terminated. */
    endWithAnswers() {
      suffix = THE_END;
    },
    /** The same, from the answer to a statement that contains this text. */
    endWithAnswerTo(statement: string) {
      last = statement;
    },
  };
}
