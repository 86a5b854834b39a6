import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execute, type OwnPostgres } from '../stage/postgres.ts';

/** PostgreSQL 17.6, whose notification queue can break; it is there for Linux on x64. */
export const hasOlderPostgres = canResolve('postgres-17.6');

const PROGRAM = fileURLToPath(new URL('serve-older-postgres.ts', import.meta.url));

export interface OlderPostgres extends Pick<OwnPostgres, 'url' | 'execute'>, AsyncDisposable {}

/** Starts it, in a process of its own: in this one the embedded PostgreSQL is the version in use. */
export async function startOlderPostgres(): Promise<OlderPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-older-postgres-'));
  // Run by root, PostgreSQL is another user, who has to get in.
  await chmod(folder, 0o755);
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const failed = ended.then(([status]) => {
    throw new Error(`the older PostgreSQL ended (${status})`);
  });
  const [url] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string];
  failed.catch(() => undefined);
  return {
    url,
    execute: (statement) => execute(url, statement),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
