import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { locationOf } from '../documents.ts';

const ROOT = fileURLToPath(locationOf('.'));
/** Files that a fresh checkout does not have. The copy keeps the result of the set-up. */
const NOT_COPIED = ['.git', '.gatehouse', '.turbo', 'coverage'];

/** Where pnpm keeps the dependencies. */
const STORE = '.pnpm';
/** The compiled modules of programs and tests. */
const CACHES = ['.cache', '.vitest-cache'];
/** Most of it is Node. */
const TOOLCHAIN = '.toolchain';
/** Where the browser of the tests is unpacked, which no documented command needs. */
const BROWSER = '.gatehouse-browser';

export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/**
 * A copy of the checkout with an empty home and none of our environment. A block has the variables that earlier blocks
 * exported, as in a terminal.
 */
export function openMachine(settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-documents-'));
  // If root starts it, the database runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  const [checkout, home, programs] = ['checkout', 'home', 'programs'].map((name) => join(folder, name));
  if (checkout === undefined || home === undefined || programs === undefined) throw new Error('unreachable');
  for (const each of [checkout, home, programs]) mkdirSync(each);
  copy(ROOT, checkout, [...NOT_COPIED, TOOLCHAIN, 'node_modules']);
  link(join(ROOT, TOOLCHAIN), checkout);
  const [modules, ofCheckout] = [join(ROOT, 'node_modules'), join(checkout, 'node_modules')];
  mkdirSync(ofCheckout);
  copy(modules, ofCheckout, [STORE, BROWSER, ...CACHES]);
  // These are three quarters of all files, and none of them is ours.
  symlinkSync(join(modules, STORE), join(ofCheckout, STORE));
  const exported = join(folder, 'exported');
  writeFileSync(exported, '');

  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.startsWith(join(ROOT)));
  const env = {
    HOME: home,
    TMPDIR: tmpdir(),
    PATH: [programs, ...path].join(delimiter),
    ...settings,
  };
  const bash = (script: string) =>
    spawn('bash', ['-c', `set -e; . "${exported}"\n${script}\nexport -p > "${exported}"`], {
      cwd: checkout,
      env,
      // A separate session: passwords are read from the input, not from our terminal.
      detached: true,
    });

  return {
    checkout,
    /** Adds a program that takes precedence over the machine's. */
    addProgram(name: string, script: string) {
      writeFileSync(join(programs, name), script, { mode: 0o755 });
    },
    /** Runs a block until it exits. */
    async run(block: string, stdin = ''): Promise<Ran> {
      const child = bash(block);
      // A block that reads nothing may have exited before this is written.
      child.stdin.on('error', () => undefined);
      child.stdin.end(stdin);
      const [output, errors] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        child.exitCode ?? once(child, 'exit'),
      ]);
      return { status: child.exitCode, output: output + errors };
    },
    /** Starts a block that runs until it is stopped. */
    start(block: string) {
      // Replaces the shell, so that npm receives the signal.
      const child = bash(block.replace(/^npm start$/m, 'exec npm start'));
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      return {
        output: () => output,
        async stop() {
          if (child.exitCode !== null) return;
          const ended = once(child, 'exit');
          process.kill(-(child.pid ?? 0), 'SIGTERM');
          await ended;
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * No hard links are used, because they count as changes: a checkout compares the times of its files to know whether its
 * bundles are current.
 */
function copy(from: string, to: string, except: readonly string[]): void {
  const entries = readdirSync(from).filter((name) => !except.includes(name));
  execFileSync('cp', ['-a', ...entries.map((name) => join(from, name)), to]);
}

/** Uses hard links if possible: the commands change no file of it. */
function link(folder: string, to: string): void {
  if (spawnSync('cp', ['-al', folder, to]).status !== 0) execFileSync('cp', ['-af', folder, to]);
}

export type Machine = ReturnType<typeof openMachine>;
