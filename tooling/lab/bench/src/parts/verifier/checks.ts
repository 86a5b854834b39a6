import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tracked } from '../../machine/children.ts';
import { pinProcess } from '../../machine/cores.ts';
import type { Directory } from '../../population/directory.ts';
import { say } from '../../say.ts';
import type { ServerProcess } from '../../servers/server-process.ts';
import { type BenchService, createServiceTokens, tokenOf } from './services.ts';

/** How the process that checks is started, as one argument of JSON. */
export interface ChecksPlan {
  readonly url: string;
  readonly credential: string;
  readonly scope: string;
  /** A file with a list of tokens. */
  readonly tokens: string;
  readonly rounds: number;
}

/** The cost of checks that ask Gatehouse nothing. */
export interface ChecksReport {
  /** The CPU of `verifyNow` for a token that is remembered, for each round. */
  readonly checkMicroseconds: readonly number[];
  /** The CPU of the SHA-256 of a token, which is its key in memory. */
  readonly keyMicroseconds: readonly number[];
  readonly bytesPerToken: number;
}

export interface Checks extends ChecksReport {
  readonly tokens: number;
}

const PROGRAM = fileURLToPath(new URL('check-tokens.ts', import.meta.url));

/** Measures checks of remembered tokens in a process of their own, on the core of the servers. */
export async function measureChecks(
  directory: Directory,
  server: ServerProcess,
  service: BenchService,
  { tokens, rounds }: { readonly tokens: number; readonly rounds: number },
): Promise<Checks> {
  const { stage } = directory;
  const made = await createServiceTokens(directory, service, tokens, 'Checked');
  const file = join(stage.folder, 'checked.json');
  await writeFile(file, JSON.stringify(made.map(tokenOf)));
  const { credential, scope } = service;
  const plan: ChecksPlan = { url: server.announcement.url, credential, scope, tokens: file, rounds };
  say(`asking about ${tokens} tokens, then checking them`);
  const child = tracked(fork(PROGRAM, [JSON.stringify(plan)], { execArgv: ['--expose-gc'] }));
  if (stage.cores && child.pid !== undefined) pinProcess(child.pid, stage.cores.server);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process that checks ended');
  });
  ended.catch(() => undefined);
  const [report]: [ChecksReport] = await Promise.race([
    once(child, 'message') as Promise<[ChecksReport]>,
    ended,
  ]);
  await ended.catch(() => undefined);
  return { ...report, tokens };
}
