import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The answers of a program that took over the database's address. */
export type Trick =
  | 'asks for clear text'
  | 'asks for MD5'
  | 'asks for dear SCRAM'
  | 'asks for another SCRAM'
  | 'asks for nothing'
  | 'fails'
  | 'fails with lines of its own'
  | 'asks for cheap SCRAM'
  | 'asks for dear and cheap SCRAM at once'
  | 'proves nothing'
  | 'proves something else'
  | 'asks for clear text after SCRAM';

export interface HostileServer extends AsyncDisposable {
  /** The server's URL on the loopback interface, with the user, password and database of a client. */
  readonly url: string;
  /** Everything that it received after the first message of each connection, as text. */
  told(): string;
  /** The number of connections so far. */
  connections(): number;
  /** The number of open connections. */
  open(): number;
}

const message = (type: string, ...parts: (number | string | Buffer)[]): Buffer => {
  const body = Buffer.concat(
    parts.map((part) => {
      if (Buffer.isBuffer(part)) return part;
      if (typeof part === 'string') return Buffer.from(part);
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(part);
      return bytes;
    }),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const authentication = (code: number, ...more: (string | Buffer)[]) => message('R', code, ...more);
const WELCOME = Buffer.concat([authentication(0), message('Z', 'I')]);
const CLEARTEXT = authentication(3);
const SASL = authentication(10, 'SCRAM-SHA-256\0\0');

/** The answers, one for each message of the client; the first message is the startup message. */
const TRICKS: Record<Trick, readonly ((said: string) => Buffer)[]> = {
  'asks for clear text': [() => CLEARTEXT, () => WELCOME],
  'asks for MD5': [() => authentication(5, Buffer.from('salt')), () => WELCOME],
  'asks for nothing': [() => WELCOME],
  'asks for cheap SCRAM': [() => SASL, (said) => challenge(said, 1)],
  'asks for dear and cheap SCRAM at once': [() => SASL, (said) => challenge(said, '4096,i=1')],
  'asks for dear SCRAM': [() => SASL, (said) => challenge(said, 100_001)],
  'asks for another SCRAM': [() => authentication(10, 'SCRAM-SHA-512\0\0')],
  fails: [() => message('E', 'SFATAL\0C53300\0Mtoo many clients\0\0')],
  'fails with lines of its own': [
    () => message('E', 'SFATAL\0C28000\0M\u001b[2Jno\r\nok       all is well\n\u2028done\0\0'),
  ],
  'proves nothing': [() => SASL, (said) => challenge(said, 4096), () => WELCOME],
  'proves something else': [
    () => SASL,
    (said) => challenge(said, 4096),
    () => Buffer.concat([authentication(12, `v=${Buffer.alloc(32).toString('base64')}`), WELCOME]),
  ],
  'asks for clear text after SCRAM': [() => SASL, (said) => challenge(said, 4096), () => CLEARTEXT],
};

function challenge(said: string, iterations: number | string): Buffer {
  const [, nonce] = /r=([^,\0]+)/.exec(said) ?? [];
  return authentication(11, `r=${nonce}more,s=${Buffer.from('salt').toString('base64')},i=${iterations}`);
}

/** Starts a program at the database's `address`, or on a port of its own. */
export async function openHostileServer(trick: Trick, address?: string | number): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let told = '';
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    const answers = TRICKS[trick].values();
    let first = true;
    socket.on('data', (data) => {
      if (!first) told += data.toString('latin1');
      first = false;
      const { value: answer } = answers.next();
      if (answer !== undefined) socket.write(answer(data.toString('latin1')));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  if (typeof address === 'string') server.listen(address);
  else server.listen(address ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address() as AddressInfo | string;
  return {
    url: `postgres://ada:hunter2@127.0.0.1:${typeof bound === 'string' ? 0 : bound.port}/gatehouse`,
    told: () => told,
    connections: () => connections,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
