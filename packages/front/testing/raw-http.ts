import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test can write any bytes. */
export type RawConnection = Awaited<ReturnType<typeof openRaw>>;

/** Opens a connection, from the given address of this machine (such as 127.0.0.2) if there is one. */
export async function openRaw(url: string, localAddress?: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  let received = '';
  /** Responses to HEAD announce a body that they do not have. If one request of a connection is HEAD, all have to be. */
  let isHead = false;
  const changed = new EventTarget();
  const announce = () => changed.dispatchEvent(new Event('change'));
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
    announce();
  });
  socket.on('error', announce);
  const end = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    socket,
    write(text: string | Uint8Array) {
      isHead ||= Buffer.from(text).subarray(0, 5).toString() === 'HEAD ';
      socket.write(text);
    },
    /** Resolves with all responses when the server closes the connection. */
    closed: async () => {
      await end;
      return parseReplies(received, isHead);
    },
    /** Resolves with the next `count` responses. */
    replies: (count: number) =>
      new Promise<readonly RawReply[]>((resolve, reject) => {
        const look = () => {
          const replies = parseReplies(received, isHead);
          if (replies.length >= count) resolve(replies);
        };
        changed.addEventListener('change', look);
        socket.once('close', () => {
          look();
          reject(new Error(`closed after: ${received}`));
        });
        look();
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Writes the text, and reads until the server closes the connection. */
export async function sendRaw(url: string, text: string | Uint8Array): Promise<readonly RawReply[]> {
  using connection = await openRaw(url);
  connection.write(text);
  return await connection.closed();
}

function parseReplies(received: string, isHead: boolean): readonly RawReply[] {
  const replies: RawReply[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return replies;
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const length = isHead ? 0 : Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return replies;
    rest = rest.slice(end + 4 + length);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (status !== 100) replies.push({ status, headers, body });
  }
}
