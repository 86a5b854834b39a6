import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

interface DnsServer extends AsyncDisposable {
  /** Its address and port. */
  readonly server: string;
}

/**
 * Answers each question with the bytes of these addresses. A type that is not given has no address; without records, no
 * question is answered.
 */
export async function openDnsServer(
  records?: Partial<Record<'A' | 'AAAA', readonly Uint8Array[]>>,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    if (!records) return;
    const questionEnd = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(questionEnd - 4);
    const found = records[TYPES[type] ?? 'A'] ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x81_80, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    const answers = found.map((bytes) =>
      // The name of the question, its type, class IN, no time to live, and the address.
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}
