import type { H3, H3Event } from 'h3';
import type { Answer } from './answer.ts';
import { problemAnswer } from './problem.ts';
import type { Respond } from './respond.ts';

export type Handler = (event: H3Event) => Answer | Promise<Answer>;

/** The one method of a path. HEAD goes with GET and OPTIONS with both, so nobody lists them. */
export type Endpoint = { readonly GET: Handler } | { readonly POST: Handler };

/** Serves a path: whatever the method, it is known, and nobody has to say who they are to learn that. */
export function addRoute(app: H3, path: string, endpoint: Endpoint, respond: Respond): void {
  const methods = 'GET' in endpoint ? ['GET', 'HEAD'] : ['POST'];
  const handler = 'GET' in endpoint ? endpoint.GET : endpoint.POST;
  const allow = ['allow', [...methods, 'OPTIONS'].join(', ')] as const;
  const options: Answer = { status: 204, headers: [allow], body: null };
  const notAllowed = problemAnswer('method_not_allowed', allow);

  app.all(path, async (event) => {
    const { method } = event.req;
    if (methods.includes(method)) return respond(event, await handler(event));
    return respond(event, method === 'OPTIONS' ? options : notAllowed);
  });
}
