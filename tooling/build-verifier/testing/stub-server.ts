import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KINDS = ['token', 'user', 'account', 'key', 'service'];
const PROOF_MS = 50;

/** A server that answers a verifier as Gatehouse does, and knows one token. */
export interface StubServer extends AsyncDisposable {
  readonly url: string;
  /** A JWT that has the scope `orders:read`. */
  readonly token: string;
  /** How many introspections were answered. */
  readonly questions: () => number;
  /** The sum of the counts in all reports of uses. */
  readonly reportedUses: () => number;
  revoke(): void;
}

/** Starts the server on a free port of this machine. */
export async function startStubServer(): Promise<StubServer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  let isActive = true;
  let questions = 0;
  let reportedUses = 0;
  const tellers = new Set<(event: object) => void>();

  const answer = () => ({
    active: true,
    scope: 'orders:read',
    jti: '01999999-89ab-7def-8123-456789abcdef',
    gatehouse: {
      account: 7,
      user: 42,
      role: 'member',
      depends: KINDS.map((kind) => ({ kind, handle: `${kind}-handle` })),
      database: 'one',
    },
  });

  function tell(response: ServerResponse, nonce: string): void {
    let position = 0;
    const send = (event: object) => {
      response.write(`data: ${JSON.stringify(event)}\n\n`);
      position += 1;
    };
    const prove = () =>
      send({ proof: { heard: performance.now(), time: Date.now(), position, database: 'one' } });
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const now = performance.now();
    const begin = { nonce, now, replay_from: now - 10_000, max_staleness_ms: 1000 };
    send({ hello: { ...begin, kinds: KINDS, database: 'one' } });
    prove();
    const proofs = setInterval(prove, PROOF_MS);
    tellers.add(send);
    response.on('close', () => {
      clearInterval(proofs);
      tellers.delete(send);
    });
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
    let body = '';
    for await (const chunk of request) body += chunk;
    const json = (value: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    switch (pathname) {
      case '/.well-known/jwks.json':
        return json({ keys: [{ kid: 'one', x }] });
      case '/.well-known/paserk.json':
        return json({ keys: [] });
      case '/api/v1/introspect':
        questions += 1;
        return json(isActive ? answer() : { active: false });
      case '/api/v1/token-uses':
        for (const { count } of JSON.parse(body).uses) reportedUses += count;
        return response.writeHead(204).end();
      default:
        return tell(response, searchParams.get('nonce') ?? '');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'EdDSA', kid: 'one' })}.${encode({ jti: '1' })}`;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`,
    questions: () => questions,
    reportedUses: () => reportedUses,
    revoke() {
      isActive = false;
      for (const send of tellers) send({ changed: ['token-handle'] });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
