import type { ServerResponse } from 'node:http';

export type Header = readonly [name: string, value: string];

/** The status, headers and body of an answer. `createRespond` adds the headers that all answers have. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string | null;
  /**
   * Whether to send the answer without CORS headers, so that pages of other origins cannot read it, even if they may
   * call the API. Default: false.
   */
  readonly isSameOrigin?: boolean;
  /**
   * Writes the body in parts after the headers were sent, and ends the response. Undefined if `body` is the whole body.
   * Logs and metrics record the answer when the stream begins.
   */
  readonly stream?: (response: ServerResponse) => Promise<void>;
}

export const JSON_TYPE: Header = ['content-type', 'application/json'];

export function jsonAnswer(body: string, ...headers: readonly Header[]): Answer {
  return { status: 200, headers: [JSON_TYPE, ...headers], body };
}

/** Returns a copy of the answer with an additional header. */
export function withHeader(answer: Answer, header: Header): Answer {
  return { ...answer, headers: [...answer.headers, header] };
}
