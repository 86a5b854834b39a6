import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';

export const hasSlowhttptest = spawnSync('slowhttptest', ['-h']).error === undefined;

/** Ways to be slow: with the headers, with the body, and in reading the responses. */
export type Slowness = 'headers' | 'body' | 'reading';

const OPTIONS: Readonly<Record<Slowness, readonly string[]>> = {
  headers: ['-H', '-t', 'GET'],
  body: ['-B', '-t', 'POST', '-f', 'application/json', '-s', '8192'],
  reading: ['-X', '-t', 'GET', '-w', '64', '-y', '128', '-n', '5', '-z', '16'],
};

const PATHS: Readonly<Record<Slowness, string>> = {
  headers: '/openapi.json',
  body: '/api/v1/auth.json',
  reading: '/openapi.json',
};

export interface Attack {
  readonly connections: number;
  readonly how: Slowness;
  /** The maximum duration: it ends when all of its connections were closed. */
  readonly seconds: number;
}

export interface Attacked {
  /** How many connections it opened. */
  readonly opened: number;
  /** Its duration in seconds. */
  readonly seconds: number;
}

/** Keeps connections open by a few bytes every other second each, with slowhttptest. */
export async function attackSlowly(url: string, { connections, how, seconds }: Attack): Promise<Attacked> {
  // Distant clients would not use this machine's CPU.
  const child = spawn(
    'nice',
    [
      ...['-n', '19', 'slowhttptest'],
      ...OPTIONS[how],
      ...['-u', `${url}${PATHS[how]}`, '-c', String(connections), '-r', '1000'],
      ...['-i', '2', '-x', '24', '-l', String(seconds)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const plain = stripVTControlCharacters(said);
  const counts = [...plain.matchAll(/connected: +(\d+)\s+error: +\d+\s+closed: +(\d+)/g)];
  const opened = counts.map(([, connected, closed]) => Number(connected) + Number(closed));
  const end = /Test ended on (\d+)/.exec(plain)?.[1];
  if (end === undefined) throw new Error(`slowhttptest: ${plain}`);
  return { opened: Math.max(0, ...opened), seconds: Number(end) };
}
