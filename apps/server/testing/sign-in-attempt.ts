import { expect } from 'vitest';
import { type Call, call, SIGN_IN_PATH } from './client.ts';
import type { PostgresServer } from './postgres-server.ts';

export interface SignInFields {
  readonly email: string;
  readonly password: string;
}

/** The content types of a sign-in. */
export const FORMATS: Readonly<Record<string, (fields: SignInFields) => Pick<Call, 'body' | 'headers'>>> = {
  JSON: (fields) => ({ body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }),
  'a form': (fields) => ({ body: new URLSearchParams({ ...fields }), headers: {} }),
  'multipart form data': (fields) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return { body, headers: {} };
  },
};

/** Signs in, with the client address in the header of a trusted proxy if it is not empty. */
export async function attempt(
  { url }: Pick<PostgresServer, 'url'>,
  fields: SignInFields,
  address: string,
  format = 'JSON',
) {
  const { headers, ...request } = FORMATS[format]?.(fields) ?? expect.fail(`unknown: ${format}`);
  const { status, headers: answered } = await call(url, SIGN_IN_PATH, {
    method: 'POST',
    ...request,
    headers: { ...headers, 'x-forwarded-for': address },
  });
  return { status, retryAfter: answered.get('retry-after') };
}
