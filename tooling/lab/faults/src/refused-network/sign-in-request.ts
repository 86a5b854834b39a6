export interface SignInFields {
  readonly email: string;
  readonly password: string;
}

/** A sign-in from an address, as forwarded by a proxy. */
export function signInRequest(fields: SignInFields, address: string): Buffer {
  const body = JSON.stringify(fields);
  return Buffer.from(
    [
      'POST /api/v1/auth.json HTTP/1.1',
      'Host: x',
      `X-Forwarded-For: ${address}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
