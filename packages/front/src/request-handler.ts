import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request, now or later. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;
