import { generateKeyPairSync, sign } from 'node:crypto';
import { createVerifier, type Surroundings, type VerifierOptions } from '../src/create-verifier.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const DEPENDS = ['token', 'user', 'account', 'key', 'service'].map((kind) => ({
  kind,
  handle: `${kind}-handle`,
}));

export const ACTIVE = {
  active: true,
  scope: 'orders:read',
  jti: '01999999-89ab-7def-8123-456789abcdef',
  gatehouse: { account: 7, user: 42, role: 'admin', depends: DEPENDS, database: 'one' },
};

/** The body of a report of uses. */
export interface UsesReport {
  readonly uses: readonly object[];
  readonly refusals: readonly object[];
}

/** A stream that the verifier asked for. The test writes its events. */
export interface StubStream {
  hello(nonce?: string): Promise<void>;
  changed(handles: readonly string[] | 'all'): Promise<void>;
  proof(position?: number): Promise<void>;
  write(text: string | Uint8Array): Promise<void>;
  readonly isOver: () => boolean;
}

/** A verifier whose Gatehouse, clock and timers are of the test. */
export function aVerifier(options: Partial<VerifierOptions> = {}) {
  const pair = generateKeyPairSync('ed25519');
  const x = pair.publicKey.export({ format: 'jwk' }).x as string;
  const time = { monotonic: 50_000, wall: 1_790_000_000_000 };
  const calls: string[] = [];
  const requests: { path: string; init: RequestInit | undefined }[] = [];
  const streams: StubStream[] = [];
  const reports: UsesReport[] = [];
  const timers: { ms: number; dueAt: number; callback: () => void }[] = [];
  const stub = {
    /** The answer of introspection; a test may hold it back. */
    answer: async (): Promise<Response> => Response.json(ACTIVE),
    /** The answer about tokens that were forgotten together. */
    refresh: async (ids: readonly string[]): Promise<Response> =>
      Response.json({ tokens: ids.map((jti) => ({ ...ACTIVE, jti })) }),
    /** The answer to a report of uses. */
    takeReport: async (): Promise<Response> => new Response(null, { status: 204 }),
    /** The answer about keys, if it is not that of Gatehouse. */
    tellKeys: undefined as (() => Response) | undefined,
    openStream: undefined as (() => Response) | undefined,
  };

  function stream(path: string, signal: AbortSignal): Response {
    if (stub.openStream) return stub.openStream();
    const pipe = new TransformStream<Uint8Array, Uint8Array>(
      undefined,
      { highWaterMark: 100 },
      { highWaterMark: 100 },
    );
    const writer = pipe.writable.getWriter();
    signal.addEventListener('abort', () => void writer.abort().catch(() => undefined));
    let lines = 0;
    const write = async (text: string | Uint8Array) => {
      await writer.write(Buffer.from(text)).catch(() => undefined);
      await settled();
    };
    const send = (event: unknown) => {
      lines += 1;
      return write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const own = new URL(path, 'http://stub').searchParams.get('nonce');
    streams.push({
      hello: (nonce = own ?? '') =>
        send({
          hello: {
            nonce,
            now: time.monotonic,
            replay_from: time.monotonic - 10_000,
            max_staleness_ms: 1000,
            kinds: DEPENDS.map(({ kind }) => kind),
            database: 'one',
          },
        }),
      changed: (changed) => send({ changed }),
      proof: (position = lines) =>
        send({ proof: { heard: time.monotonic, time: time.wall, position, database: 'one' } }),
      write,
      isOver: () => signal.aborted,
    });
    return new Response(pipe.readable, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  }

  const fetch: Surroundings['fetch'] = async (input, init) => {
    const path = `${input}`.slice('http://stub'.length);
    const name = path.split('?')[0]?.split('/').at(-1) ?? '';
    requests.push({ path, init });
    if (name !== 'token-changes') calls.push(name);
    if (stub.tellKeys && /^(jwks|paserk)\.json$/.test(name)) return stub.tellKeys();
    if (name === 'jwks.json') return Response.json({ keys: [{ kid: 'one', x }] });
    if (name === 'paserk.json')
      return Response.json({ keys: [{ kid: 'k4.pid.one', key: `k4.public.${x}` }] });
    if (name === 'introspect') return stub.answer();
    if (name === 'token-refreshes') return stub.refresh(JSON.parse(`${init?.body}`).tokens);
    if (name === 'token-uses') {
      reports.push(JSON.parse(`${init?.body}`));
      return stub.takeReport();
    }
    return stream(path, init?.signal as AbortSignal);
  };

  const verifier = createVerifier(
    { url: 'http://stub', credential: 'ghs_stub', ...options },
    {
      fetch,
      now: () => ({ ...time }),
      after(ms, callback) {
        const timer = { ms, dueAt: time.monotonic + ms, callback };
        timers.push(timer);
        return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
      },
    },
  );

  return {
    verifier,
    calls,
    requests,
    reports,
    streams,
    timers,
    stub,
    /** Both clocks go on. */
    pass(ms: number) {
      time.monotonic += ms;
      time.wall += ms;
    },
    /** Both clocks go on, and timers end. */
    async elapse(ms: number) {
      time.monotonic += ms;
      time.wall += ms;
      for (const timer of timers.filter(({ dueAt }) => dueAt <= time.monotonic)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.callback();
      }
      await settled();
    },
    /** Begins the first stream and proves that everything is known. */
    async prove(): Promise<StubStream> {
      await settled();
      const stream = streams.at(-1) as StubStream;
      await stream.hello();
      await stream.proof();
      return stream;
    },
    jwt(id = '1', header: object = { alg: 'EdDSA', typ: 'JWT', kid: 'one' }) {
      const text = `${encode(header)}.${encode({ jti: id })}`;
      return `${text}.${sign(null, Buffer.from(text), pair.privateKey).toString('base64url')}`;
    },
    paseto(id = '1') {
      const footer = Buffer.from('{"kid":"k4.pid.one"}');
      const payload = Buffer.from(JSON.stringify({ jti: id }));
      const size = (count: number) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(BigInt(count));
        return bytes;
      };
      const pieces = [Buffer.from('v4.public.'), payload, footer, Buffer.alloc(0)];
      const message = Buffer.concat([size(4), ...pieces.flatMap((piece) => [size(piece.length), piece])]);
      const body = Buffer.concat([payload, sign(null, message, pair.privateKey)]);
      return `v4.public.${body.toString('base64url')}.${footer.toString('base64url')}`;
    },
  };
}

/** Resolves when everything that could go on has gone on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
