import type { IncomingMessage } from 'node:http';

const BODY_LIMIT = 16 * 1024;

/** The bytes of a body, or why it could not be read. `aborted`: the client is gone. */
export type Body = Buffer | 'too_large' | 'aborted';

/**
 * Reads a whole body of at most 16 KiB, once. A longer one is refused as soon as its length is known. The rest of it is
 * read and thrown away, so that the client reads the answer.
 */
export function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else resolve('too_large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}
