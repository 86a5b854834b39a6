import type { PageScene as Scene } from '../serve-pages.ts';
import type { Visitor } from '../visitor.ts';

/** A filled-in form that the server would accept. Tests of forged forms change parts of it. */
export interface Sent {
  readonly visitor: Visitor;
  readonly path: string;
  readonly values: URLSearchParams;
  readonly headers: Record<string, string>;
  /** The text of a button that the page no longer has once the form was accepted. */
  readonly button?: string;
  /** The status of the answer if the form is accepted: 303, or 200 for a page that shows a secret or leads to a provider. */
  readonly done: 303 | 200;
}

/** Fills in a form in a new session. */
export type Fill = (scene: Scene) => Promise<Sent>;

/** The forms of an area of the pages, by the name of what each does. */
export type FormsOfPages = Readonly<Record<string, Fill>>;

/** The headers that a browser sends with a form of our pages. */
export const headersOf = ({ url }: Scene) => ({
  'content-type': 'application/x-www-form-urlencoded',
  origin: url,
});

export const send = ({ visitor, path, values, headers }: Sent, method = 'POST') =>
  visitor.ask(method === 'GET' ? `${path}?${values}` : path, {
    method,
    headers,
    ...(method !== 'GET' && { body: `${values}` }),
  });
