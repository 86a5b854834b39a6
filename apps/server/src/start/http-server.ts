import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type AddressInfo, createServer, isIP } from 'node:net';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import {
  createListener,
  type Listener,
  type ListenerOptions,
  type ProtectOptions,
  protect,
  type RefusalAnswer,
} from '@gatehouse/front';
import { fittingId, PROBLEM_ANSWERS } from '@gatehouse/http';
import type { Settings } from '../settings/settings.ts';
import { StartError } from './start-error.ts';

export type HttpServerOptions = ListenerOptions & Omit<ProtectOptions, 'refuse'>;

/** Creates an HTTP server with the protections of `@gatehouse/front`. The server does not listen yet. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): Listener {
  return createListener(protect(handle, { ...options, refuse: bareProblem }), options);
}

/**
 * Creates a server and starts to listen.
 *
 * @throws {StartError} if the address cannot be used. The message names the setting to change, `${prefix}HOST` or
 * `${prefix}PORT`.
 */
export async function listenOn(
  handle: RequestListener,
  options: HttpServerOptions,
  prefix = '',
): Promise<Listener> {
  const server = createHttpServer(handle, options);
  try {
    await server.listen();
    return server;
  } catch (error) {
    throw explained(error, options, prefix);
  }
}

/**
 * Checks that the port is free, or finds a free one for port 0. For this, the port is opened for a moment without
 * sharing it. Sockets that share the port could be opened even if another program used the same port.
 *
 * @throws {StartError} if the address cannot be used
 */
export async function findPort({ HOST: host, PORT: port }: Settings): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen({ host, port }), 'listening');
  } catch (error) {
    throw explained(error, { host, port });
  }
  const { port: found } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return found;
}

function explained(error: unknown, { host, port }: ListenerOptions, prefix = '') {
  const address = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const noAddress = `${host} is not an address of this machine: choose another ${prefix}HOST`;
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `${address} is in use by another program: choose another ${prefix}PORT`,
    EACCES: `the user of this process may not listen on ${address}: choose another ${prefix}PORT`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAFNOSUPPORT: noAddress,
    EINVAL: noAddress,
    ENOTSUP: 'this system cannot share a port between processes: leave WORKERS unset',
  };
  const problem = problems[codeOf(error)];
  return problem === undefined ? error : new StartError(problem, { cause: error });
}

/** Returns the code of a system error, such as `EADDRINUSE`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Makes the whole response to a request that is refused before it reaches a route.
 *
 * @param request the part of the request that was read; undefined if nothing was read
 */
function bareProblem(name: ProblemName, request: IncomingMessage | undefined): RefusalAnswer {
  const { status, headers, body } = PROBLEM_ANSWERS[name];
  return {
    status,
    headers: [
      ...headers,
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', (request && fittingId(request)) ?? randomUUID()],
      ['content-length', String(Buffer.byteLength(body ?? ''))],
    ],
    body: body ?? '',
  };
}
