import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { UnavailableFault } from '@gatehouse/domain';
import {
  DEFAULT_OPS_PORT,
  type Environment,
  opsSettings,
  parseSettings,
} from '@gatehouse/installation/settings';
import type { ServerHealth } from './cli.ts';
import { usageError } from './errors/command-error.ts';

/** The longest wait for a health check, in milliseconds. A server answers within 1 s, even if its database does not. */
const ANSWER_WITHIN_MS = 3000;

/**
 * Returns the address at which a program on the same machine reaches the server. For a server that listens on all
 * addresses (`0.0.0.0`, or `::` in any spelling), this is the loopback address.
 */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host.includes(':') && /^[0:]+$/.test(host) ? '::1' : host;
}

/**
 * Sends a health check to the server on this machine.
 *
 * @throws UnavailableFault if no server answers within 3 seconds
 */
export async function askServer(environment: Environment, path: '/live' | '/ready'): Promise<ServerHealth> {
  const { host, port } = opsAddressIn(environment);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  try {
    // `fetch` would refuse ports that the Fetch standard blocks, such as 6000, and a server may use one of them.
    const request = get({ host, port, path, agent: false, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('no response');
    const body: unknown = await json(response).catch(() => undefined);
    return { url, status: response.statusCode ?? 0, body: typeof body === 'object' && body ? body : {} };
  } catch (error) {
    throw new UnavailableFault(`No server answers at ${url}: ${reasonOf(error)}.`, { cause: error });
  }
}

function opsAddressIn(environment: Environment) {
  const parsed = parseSettings(opsSettings, environment);
  if (!parsed.ok) throw usageError(parsed.error.join('; '));
  const { OPS_HOST, OPS_PORT = DEFAULT_OPS_PORT } = parsed.value;
  return { host: reachable(OPS_HOST), port: OPS_PORT };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'AbortError' ? `no answer within ${ANSWER_WITHIN_MS / 1000} seconds` : error.message;
}
