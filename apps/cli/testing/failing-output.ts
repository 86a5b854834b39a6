import { Writable } from 'node:stream';

/** An output that fails like the system's: with `ENOSPC` for a full disk, `EPIPE` for a pipe that its reader closed. */
export function failingOutput(code: string): Writable {
  const failure = Object.assign(new Error(`${code}: no more, write`), { code, syscall: 'write' });
  return new Writable({ write: (_chunk, _encoding, done) => done(failure) }).on('error', () => undefined);
}
