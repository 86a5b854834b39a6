import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions, request } from 'node:http';
import { BlockList } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiToken } from '@gatehouse/domain/testing';
import { createClientAddress } from '@gatehouse/front';
import { startTestServer } from '../start-test-server.ts';
import { type Received, startEchoService } from './echo-service.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Headers by their names. A list of values is sent as several headers. */
type Headers = Readonly<Record<string, string | number | readonly string[]>>;

interface Sent extends RequestOptions {
  readonly body?: string;
}

/** Starts a server, which trusts the gateway, a service that echoes, and the gateway between them. */
export async function openGateway(gateway: Gateway, answer?: Parameters<typeof startEchoService>[0]) {
  await using starting = new AsyncDisposableStack();
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const gatehouse = await startTestServer({ ports: { clientAddress: createClientAddress(proxies) } });
  starting.use(gatehouse);
  const service = starting.use(await startEchoService(answer));
  const urls = { gatehouse: gatehouse.url, service: service.url };
  const { port } = starting.use(await startGateway(gateway, urls));
  const { world, people } = gatehouse;
  const { token } = await gatehouse.orders();
  const resources = starting.move();
  return {
    gatehouse,
    /** A token of the admin with the scope that the gateway asks for. */
    token,
    bearer: `Bearer ${token.secret}`,
    /** A token of the same admin that has no scope of the service. */
    async poorBearer() {
      const { secret } = await apiToken(world, people.admin);
      return `Bearer ${secret}`;
    },
    /** The headers that the service gets with `token`. */
    five: {
      'x-gatehouse-user': String(people.admin.id),
      'x-gatehouse-account': String(people.account.id),
      'x-gatehouse-role': 'admin',
      'x-gatehouse-token': token.record.id,
      'x-gatehouse-scopes': 'orders:read',
    },
    /** The requests that reached the service. */
    received: service.received,
    /** Sends a request to the gateway. */
    async send(fields: Headers, { body = '', ...options }: Sent = {}) {
      const headers = fields as OutgoingHttpHeaders;
      const sent = request({ port, host: '127.0.0.1', path: '/a?b=c', headers, agent: false, ...options });
      const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage];
      const { statusCode: status = 0, headers: answered } = response;
      return { status, headers: answered, body: await text(response) };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Returns the status of an answer, and its challenge. */
export const challengeOf = (answer: Pick<IncomingMessage, 'headers'> & { readonly status: number }) => [
  answer.status,
  answer.headers['www-authenticate'],
];

/** Returns all headers that some service takes for one that Gatehouse sends, whichever way they are spelled. */
export function claimsIn({ headers }: Received): Readonly<Record<string, string>> {
  // CGI and many frameworks know the names of headers in this form.
  const isClaim = (name: string) => /^X_GATEHOUSE_/.test(name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_'));
  const claims = headers.filter(([name]) => isClaim(name));
  return Object.fromEntries(claims.map(([name, value]) => [name.toLowerCase(), value]));
}
