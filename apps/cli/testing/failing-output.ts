import { Writable } from 'node:stream';

/** An output that fails as the system's do: `ENOSPC` as a full disk, `EPIPE` as a pipe whose reader has closed it. */
export function failingOutput(code: string): Writable {
  const failure = Object.assign(new Error(`${code}: no more, write`), { code, syscall: 'write' });
  return new Writable({ write: (_chunk, _encoding, done) => done(failure) }).on('error', () => undefined);
}
