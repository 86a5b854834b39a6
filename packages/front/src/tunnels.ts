import type { IncomingMessage, Server } from 'node:http';
import { afterwards, beginEnding } from './ending.ts';
import { type Refuse, writeAndClose } from './refusals.ts';
import { latestResponse } from './responses.ts';

/** Refuses each CONNECT and closes its connection, which Node leaves to us. */
export function refuseTunnels(server: Server, refuse: Refuse): void {
  server.on('connect', (request: IncomingMessage) => {
    const { socket } = request;
    // Node has removed its own listener: without one, a client that breaks off would end the process.
    socket.on('error', () => socket.destroy());
    if (!beginEnding(socket)) return;
    const before = latestResponse(socket);
    afterwards(before, () => writeAndClose(refuse('malformed_request', request), socket));
  });
}
