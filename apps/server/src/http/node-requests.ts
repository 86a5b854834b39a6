import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '@gatehouse/front';
import type { H3 } from 'h3';
import { FastURL } from 'srvx';
import { answerUnreadable } from './raw-response.ts';

type FrameworkRequest = Parameters<H3['fetch']>[0];

/**
 * What the framework reads of a request: its method and its path. A whole web `Request`, which the framework's own server
 * makes of each, costs a look-up whose token is known 2 % more.
 */
class RoutedRequest {
  readonly method: string;
  readonly url: string;
  /** Of parts, as srvx makes it of a request: parsing `url` takes 3 % of such a look-up. */
  readonly _url: URL;
  readonly context = undefined;
  readonly runtime: FrameworkRequest['runtime'];

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.method = req.method as string;
    this.url = req.url as string;
    this._url = urlOfParts({ protocol: 'http:', host: 'localhost', pathname: this.url, search: '' });
    this.runtime = { name: 'node', node: { req, res } };
  }
}

const urlOfParts = (parts: Readonly<Record<'protocol' | 'host' | 'pathname' | 'search', string>>) =>
  // Its types know only what the class of the web takes.
  new FastURL(parts as unknown as string);

/** Gives an app the requests that Node read. Their `url` is the path by which they are routed. */
export function handleByApp(app: H3): RequestHandler {
  return (request, response) => {
    // It has what our routes and h3 read of a request; the rest of the web's class is left out.
    const answering = app.fetch(new RoutedRequest(request, response) as unknown as FrameworkRequest);
    if (answering instanceof Promise) void answering.then(() => endUnanswered(request, response));
    else endUnanswered(request, response);
  };
}

/** The app answers through Node. If it fails even to answer that it failed, this does. */
function endUnanswered(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent) answerUnreadable('internal_error', request, response);
}
