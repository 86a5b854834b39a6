export const MULTIPART = 'multipart/form-data; boundary=b';

/** Creates a multipart body with these parts. */
export const multipart = (...parts: readonly (readonly [head: string, body: string | Uint8Array])[]) =>
  Buffer.concat([
    ...parts.flatMap(([head, body]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body as Uint8Array),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
