import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** The official definitions: version 1.11.0 of open-telemetry/opentelemetry-proto. */
const DEFINITIONS = dirname(fileURLToPath(import.meta.url));
const SERVICE = 'opentelemetry/proto/collector/trace/v1/trace_service.proto';

type Value = string | number | boolean | undefined;

/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  readonly resource: Readonly<Record<string, Value>>;
}

interface ReceiverOptions {
  /** Answers in place of the receiver; what it took is kept all the same. */
  readonly answer?: () => { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Receives traces by OTLP over HTTP, and reads them by the official definitions of the protocol. */
export async function startReceiver({ answer = () => ({ status: 200 }) }: ReceiverOptions = {}) {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(DEFINITIONS, target);
  await root.load(SERVICE);
  const message = root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await buffer(request);
    const { status, headers: given = {} } = answer();
    bodies.push(body);
    headers.push(request.headers);
    paths.push(`${request.method} ${request.url}`);
    if (status === 200) spans.push(...spansIn(message, body));
    response.writeHead(status, { 'content-type': 'application/x-protobuf', ...given }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The spans in accepted messages. */
    spans,
    /** The bodies of all messages. */
    bodies,
    headers,
    paths,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, Value>>;
}

interface RawSpan extends Omit<ReceivedSpan, 'attributes' | 'links' | 'isError' | 'resource'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: string };
}

interface RawMessage {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

function spansIn(message: protobuf.Type, body: Buffer): readonly ReceivedSpan[] {
  const options = { longs: String, enums: String, bytes: String, arrays: true };
  const { resourceSpans } = message.toObject(message.decode(body), options) as RawMessage;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        name: span.name,
        kind: span.kind,
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
        links: span.links.map(({ traceId, spanId }) => ({ traceId: hex(traceId), spanId: hex(spanId) })),
        isError: span.status?.code === 'STATUS_CODE_ERROR',
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

const hex = (base64 = '') => Buffer.from(base64, 'base64').toString('hex');

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
