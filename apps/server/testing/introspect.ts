import { call, FORM } from './client.ts';

export const INTROSPECT = '/api/v1/introspect';

/** Returns the value of `Authorization` with a name and a secret. */
export const basic = (name: string, secret: string) =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

/** Asks as a service about the token in the fields of a form. */
export const introspect = (
  url: string,
  authorization: string | undefined,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  call(url, INTROSPECT, {
    method: 'POST',
    body: `${new URLSearchParams(fields)}`,
    headers: { 'content-type': FORM, ...(authorization !== undefined && { authorization }), ...headers },
  });
