import type { H3, H3Event } from 'h3';
import type { Answer } from './answer.ts';
import { problemAnswer } from './problem.ts';
import type { Respond } from './respond.ts';

export type Handler = (event: H3Event) => Answer | Promise<Answer>;

/** The methods of a path. HEAD is implied by GET, and OPTIONS by all, so they are not listed. */
export type Endpoint = Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler>>>;

/** Serves a path. Any method gets a response, and OPTIONS and 405 need no token. */
export function addRoute(app: H3, path: string, endpoint: Endpoint, respond: Respond): void {
  const handlers = new Map<string, Handler>();
  for (const [method, handler] of Object.entries(endpoint)) {
    handlers.set(method, handler);
    if (method === 'GET') handlers.set('HEAD', handler);
  }
  const allow = ['allow', [...handlers.keys(), 'OPTIONS'].join(', ')] as const;
  const options: Answer = { status: 204, headers: [allow], body: null };
  handlers.set('OPTIONS', () => options);
  const notAllowed = problemAnswer('method_not_allowed', allow);

  app.all(path, async (event) => {
    const handler = handlers.get(event.req.method);
    return respond(event, handler ? await handler(event) : notAllowed);
  });
}
