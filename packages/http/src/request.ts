import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Awaitable } from '@gatehouse/domain';
import type { RefusedCaller } from '@gatehouse/domain/access';
import type { TokenCaller } from '@gatehouse/domain/tokens';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { ClientAddress } from '@gatehouse/front';
import type { Answer, Header } from './answer.ts';
import { routedPath } from './request-target.ts';

/** The caller of a request with a bearer token; the use cases refuse one whose token was not accepted. */
export type BearerCaller = TokenCaller | RefusedCaller;

/** Makes an answer that replaces the API's answer of a problem, with the same headers. */
export type ProblemView = (name: ProblemName, request: HttpRequest, plain: Answer) => Awaitable<Answer>;

/** The parts of a path that vary, by their names in the route, still percent-encoded. */
type PathParameters = Readonly<Record<string, string>>;

const NO_PARAMETERS: PathParameters = {};

const FITTING_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * A request, made when Node has read its head. Handlers, logs, traces and metrics get this one object. It also holds facts that
 * are found later, such as the route and the caller.
 */
export class HttpRequest {
  /** The request as Node read it: the header fields as received, and the connection. */
  readonly node: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** The target as the client sent it: with its query, and possibly in absolute form. */
  readonly target: string;
  /** The path that decides the route: in its one canonical spelling, or one that no route has. */
  readonly path: string;
  /** The query with its question mark; undefined if the target has none. */
  readonly query: string | undefined;
  /** The path of its route, such as `/api/v1/orgs/:id`; undefined until the route is found. */
  route: string | undefined = undefined;
  params = NO_PARAMETERS;
  /** Makes the answers of problems, for a page. Undefined in the API, which answers with problem documents. */
  problemView: ProblemView | undefined = undefined;
  /** The caller; undefined until the bearer token is checked, and in requests that need none. */
  caller: BearerCaller | undefined = undefined;
  /** Header fields of every answer to this request, also of a refusal, such as the cookie of a session's new secret. */
  carried: Header[] | undefined = undefined;
  readonly #startedAt = performance.now();
  readonly #clientAddress: ClientAddress;
  #id: string | undefined = undefined;
  #body: Promise<Body> | undefined = undefined;

  constructor(node: IncomingMessage, response: ServerResponse, clientAddress: ClientAddress) {
    this.node = node;
    this.response = response;
    this.method = node.method as string;
    this.target = node.url as string;
    this.path = routedPath(this.target);
    const start = this.target.indexOf('?');
    this.query = start === -1 ? undefined : this.target.slice(start);
    this.#clientAddress = clientAddress;
  }

  get headers(): IncomingHttpHeaders {
    return this.node.headers;
  }

  /** The id that the caller gave to this request, if it is a valid one, or else a new one. It stays the same. */
  get id(): string {
    this.#id ??= fittingId(this.node) ?? randomUUID();
    return this.#id;
  }

  /** The IP address of the client, which may stand behind trusted proxies. */
  get address(): string {
    return this.#clientAddress(this.node);
  }

  /** Milliseconds since the head of the request was read. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Reads the whole body. It can be asked for again. */
  body(): Promise<Body> {
    this.#body ??= readBody(this.node);
    return this.#body;
  }

  /** Adds a header field to the answer, also to a refusal. */
  carry(header: Header): void {
    this.carried ??= [];
    this.carried.push(header);
  }
}

/** Returns the id that the caller gave to its request, if it may appear in an answer. */
export function fittingId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && FITTING_ID.test(id) ? id : undefined;
}

const BODY_LIMIT = 16 * 1024;

/** The bytes of a body, or why it could not be read. `aborted`: the client is gone. */
export type Body = Buffer | 'too_large' | 'aborted';

/**
 * Reads a whole body of at most 16 KiB, once. A longer one is refused as soon as its length is known. The rest of it is
 * read and thrown away, so that the client reads the answer.
 */
export function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else resolve('too_large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}
