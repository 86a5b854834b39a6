import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  /** The request that it answers, according to the response. */
  readonly requestId: string | undefined;
  readonly body: string;
}

/**
 * Writes these chunks one after another and waits for the expected number of responses. Then it ends this side of the
 * connection, and reads until the other side ends.
 */
export async function exchange(
  url: string,
  pieces: readonly string[],
  expected = 0,
): Promise<readonly RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  let received = '';
  const endOnceAnswered = () => {
    if (parseAnswers(received).answers.length >= expected) socket.end();
  };
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
    if (expected > 0) endOnceAnswered();
  });
  // A refused client may find the connection closed while it writes.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  for (const [index, piece] of pieces.entries()) {
    // Makes them arrive separately.
    if (index > 0) await delay(1);
    socket.write(piece, 'latin1');
  }
  if (expected === 0) socket.end();
  const patience = setTimeout(() => socket.destroy(), PATIENCE_MS);
  await closed;
  clearTimeout(patience);
  const parsed = parseAnswers(received);
  if (parsed.rest !== '') throw new Error(`this is not a response: ${JSON.stringify(parsed.rest)}`);
  return parsed.answers;
}

/** The time limit for servers that do not end their side, in milliseconds. */
const PATIENCE_MS = 20_000;

function parseAnswers(received: string): { readonly answers: readonly RawAnswer[]; readonly rest: string } {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
    const head = rest.slice(0, end);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
    const requestId = /^x-request-id: *(\S+)/im.exec(head)?.[1];
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) break;
    if (status !== 100) answers.push({ status, requestId, body });
    rest = rest.slice(end + 4 + length);
  }
  return { answers, rest };
}
