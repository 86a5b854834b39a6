import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sirv from 'sirv';
import { SECURITY_POLICY } from './security-policy.ts';

export interface ServedSite extends AsyncDisposable {
  readonly url: string;
}

const POLICY = { 'content-security-policy': `${SECURITY_POLICY}; frame-ancestors 'none'` };

/**
 * Serves a built site to this machine, under the policy that it is made for.
 * @param port 0 for any free one. Rejects if it is in use.
 */
export async function serveSite(folder: string, base: string, port: number): Promise<ServedSite> {
  const files = sirv(folder, {
    setHeaders: (response) => response.setHeaders(new Map(Object.entries(POLICY))),
  });
  const notFoundPage = readFileSync(join(folder, '404.html'));
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const notFound = () => {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8', ...POLICY });
      response.end(notFoundPage);
    };
    if (!path.startsWith(base)) return notFound();
    request.url = path.slice(base.length - 1);
    return files(request, response, notFound);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
