import type { ServerResponse } from 'node:http';

export type Header = readonly [name: string, value: string];

/** An answer, before `createRespond` adds the header fields of every answer. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string | null;
  /**
   * Whether to hide the response from pages of all other origins, even those that may call the API. Default: false.
   */
  readonly isSameOrigin?: boolean;
  /** Writes the body over time, once the head was sent, and ends it; the answer counts as given when it begins. */
  readonly stream?: (response: ServerResponse) => Promise<void>;
}

export const JSON_TYPE: Header = ['content-type', 'application/json'];

export function jsonAnswer(body: string, ...headers: readonly Header[]): Answer {
  return { status: 200, headers: [JSON_TYPE, ...headers], body };
}

/** The same answer with one header more. */
export function withHeader(answer: Answer, header: Header): Answer {
  return { ...answer, headers: [...answer.headers, header] };
}
