import { once } from 'node:events';
import { connect } from 'node:net';

/** Keeps this many requests pending on each of this many connections, until it is stopped. */
export async function keepAsking(
  url: string,
  { connections, pipelined, next }: { connections: number; pipelined: number; next: () => string },
) {
  const { hostname, port } = new URL(url);
  const answers = new Map<number, number>();
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    const send = (count: number) => socket.write(Array.from({ length: count }, next).join(''));
    let rest = '';
    socket.setEncoding('latin1').on('data', (text) => {
      const heads = (rest + text).split('\r\n\r\n');
      rest = heads.pop() ?? '';
      const statuses = heads.flatMap((head) => /HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? []).map(Number);
      for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1);
      if (statuses.length > 0) send(statuses.length);
    });
    // Stopping can cause an error on a closed connection.
    socket.on('error', () => undefined);
    socket.once('connect', () => send(pipelined));
  }
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  return {
    /** The number of responses so far, by status. */
    answers,
    stop: () => void sockets.map((socket) => socket.destroy()),
  };
}
