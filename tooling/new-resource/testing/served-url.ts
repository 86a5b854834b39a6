import type { ChildProcess } from 'node:child_process';

/** Waits until a server says in its output where it serves; throws if it ends before. */
export function servedUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk) => {
        said += chunk;
        const url = /"url":"(\S+?)"/.exec(said)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    server.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}
