import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Awaitable } from '@gatehouse/domain';
import type { RefusedCaller, ServiceCaller } from '@gatehouse/domain/access';
import type { TokenCaller } from '@gatehouse/domain/tokens';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { ClientAddress } from '@gatehouse/front';
import type { Answer, Header } from './answer.ts';
import { routedPath } from './request-target.ts';

/**
 * The caller of a route that requires a bearer token. A `RefusedCaller` has no valid token, and use cases refuse it.
 */
export type BearerCaller = TokenCaller | RefusedCaller;

/** The caller of a route with a rule: a user through a token, or a service on a route whose rule allows services. */
export type RequestCaller = BearerCaller | ServiceCaller;

/**
 * Returns an answer that replaces `plain`, the API's answer for a problem. The new answer keeps the additional headers
 * of `plain`.
 */
export type ProblemView = (name: ProblemName, request: HttpRequest, plain: Answer) => Awaitable<Answer>;

/** The values of a route's path parameters by name, still percent-encoded. */
type PathParameters = Readonly<Record<string, string>>;

const NO_PARAMETERS: PathParameters = {};

const FITTING_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * A request, created when Node has read the request line and the headers. Handlers, logs, traces and metrics share this
 * object. Its members `route`, `params`, `problemView` and `caller` are set later.
 */
export class HttpRequest {
  /** The request as Node read it: the header fields as received, and the connection. */
  readonly node: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** The request target as the client sent it: a path with its query, possibly after a scheme and a host. */
  readonly target: string;
  /**
   * The path for which the router finds the route. If the client's path is not in canonical spelling, this is a path
   * that matches no route.
   */
  readonly path: string;
  /** The query of the request target, with its question mark; undefined if the target has no query. */
  readonly query: string | undefined;
  /** The path of the request's route, such as `/api/v1/orgs/:id`; undefined until the route is found. */
  route: string | undefined = undefined;
  params = NO_PARAMETERS;
  /**
   * Renders problems for requests of web pages. Undefined for requests of the API, which are answered with problem
   * documents.
   */
  problemView: ProblemView | undefined = undefined;
  /** The caller; undefined until the token or the credential is checked, and for routes that need none. */
  caller: RequestCaller | undefined = undefined;
  /**
   * Additional headers of the answer, which are also sent if the request is refused: for example, the cookie with a
   * session's new secret. Undefined if there are no additional headers.
   */
  carried: Header[] | undefined = undefined;
  /** The largest size of the body, in bytes. A route changes it before the body is read. */
  bodyLimit = BODY_LIMIT;
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

  /** The id of this request: the header `X-Request-Id` if it is valid, otherwise a new id. */
  get id(): string {
    this.#id ??= fittingId(this.node) ?? randomUUID();
    return this.#id;
  }

  /** The IP address of the client. If the request came through trusted proxies, it is the address that they report. */
  get address(): string {
    return this.#clientAddress(this.node);
  }

  /** Milliseconds since the headers of the request were read. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Reads the whole body. Further calls return the same result. */
  body(): Promise<Body> {
    this.#body ??= readBody(this.node, this.bodyLimit);
    return this.#body;
  }

  /** Adds a header to the answer, also if the request is refused. */
  carry(header: Header): void {
    this.carried ??= [];
    this.carried.push(header);
  }
}

/**
 * Returns the id that the caller gave to its request, if it is valid; undefined otherwise. Only a valid id is repeated
 * in the answer.
 */
export function fittingId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && FITTING_ID.test(id) ? id : undefined;
}

const BODY_LIMIT = 16 * 1024;

/** The largest size of the body of a route with `isLargeJson`, in bytes. */
export const LARGE_BODY_LIMIT = 256 * 1024;

/**
 * The bytes of a body, or why it could not be read. `aborted`: the client closed the connection before it had sent the
 * whole body.
 */
export type Body = Buffer | 'too_large' | 'aborted';

/**
 * Reads a whole body of at most `limit` bytes. Call it only once for a request. For a longer body, resolves with `too_large`
 * as soon as the length is known. The rest of that body is read and ignored, because many clients read the answer only
 * after they have sent the whole body.
 */
export function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve('too_large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}
