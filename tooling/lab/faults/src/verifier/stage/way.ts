import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createStreamProxy, type StreamProxy } from './stream-proxy.ts';

/** An answer to a request other than for a stream. */
export interface CarriedAnswer {
  status: number;
  body: string;
}

/** Passes an answer on, now or later. It may be changed before. */
export type CarryAnswer = (answer: CarriedAnswer, path: string) => Promise<void> | void;

/** The way from a verifier to servers: a proxy that can err. */
export interface Way extends AsyncDisposable {
  readonly url: string;
  readonly streams: StreamProxy;
  /** Decides where the next requests go: those for streams, and the others. */
  leadTo(servers: { readonly streams?: string; readonly questions?: string }): void;
  /** Decides how answers are passed on, from now on. Default: at once. */
  carryAnswers(carry: CarryAnswer): void;
}

/** @param url of the server to which all requests go at first */
export async function openWay(url: string): Promise<Way> {
  let [streamsTo, questionsTo] = [url, url];
  let carry: CarryAnswer = () => undefined;
  const streams = createStreamProxy(() => streamsTo);
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/token-changes')) return void streams.open(request, response);
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '/', headers } = request;
    const asked = ask(new URL(path, questionsTo), { method, headers, agent: false });
    asked.end(await buffer(request));
    const [answered] = (await once(asked, 'response')) as [IncomingMessage];
    const { statusCode = 0, headers: own } = answered;
    const carried = { status: statusCode, body: (await buffer(answered)).toString() };
    await carry(carried, path);
    const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...others } = own;
    response.writeHead(carried.status, others).end(carried.body);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams,
    leadTo(servers) {
      streamsTo = servers.streams ?? streamsTo;
      questionsTo = servers.questions ?? questionsTo;
    },
    carryAnswers(next) {
      carry = next;
    },
    async [Symbol.asyncDispose]() {
      streams.cutAll();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
