import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { spawn as spawnAtTerminal } from '@lydell/node-pty';
import { takeOutExtensions } from '../src/product-alone.ts';
import { ROOT } from '../src/workspace.ts';

/** The settings of a program in addition to those of all programs. */
export type Settings = Readonly<Record<string, string>>;

export type CheckoutCopy = ReturnType<typeof openCheckoutCopy>;

/**
 * A copy of the files that git knows or would add, without the extensions of this installation, and with the toolchain
 * but not the dependencies.
 */
export function openCheckoutCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-new-'));
  // If root starts it, PostgreSQL runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let update = '';
  try {
    const files = git(ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
    for (const file of new Set(files.filter((each) => each !== ''))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file), { verbatimSymlinks: true, errorOnExist: false });
    }
    // The set-up never changes its files in place.
    spawnSync('cp', ['-al', join(ROOT, '.toolchain'), folder]);
    update = takeOutExtensions(folder);
  } catch (error) {
    remove();
    throw error;
  }
  // None of this run's settings, and no tool of this checkout.
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.startsWith(ROOT));
  const { HOME, XDG_DATA_HOME, NODE_COMPILE_CACHE } = process.env;
  const PATH = [
    dirname(process.execPath),
    join(folder, '.toolchain/node_modules/.bin'),
    join(folder, 'node_modules/.bin'),
  ];
  const env = {
    ...{
      HOME,
      XDG_DATA_HOME,
      NODE_COMPILE_CACHE,
      TMPDIR: tmpdir(),
      PATH: [...PATH, ...path].join(delimiter),
    },
    ...{ NO_COLOR: '1', TURBO_TELEMETRY_DISABLED: '1' },
  };
  const start = (script: string, settings: Settings = {}) =>
    spawn('bash', ['-ec', script], { cwd: folder, env: { ...env, ...settings }, stdio: 'pipe' });
  async function run(script: string, { settings = {}, input = '' } = {}): Promise<string> {
    const child = start(script, settings);
    child.stdin.end(input);
    const ended = once(child, 'close');
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (child.exitCode !== 0) throw new Error(`${script} ended with ${child.exitCode}:\n${out}${errors}`);
    return out;
  }
  return {
    /** Starts a script such as `exec npm start`. */
    start,
    /** Runs a script until it ends, and returns what it printed; throws if it fails. */
    run,
    /** Installs the dependencies, and commits all files. */
    async setUp(): Promise<void> {
      await run(update);
      await run('npm run --silent setup');
      git(folder, 'init', '--quiet');
      git(folder, 'add', '--all');
      const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
      git(folder, ...author, 'commit', '--quiet', '-m', 'copy');
    },
    /** Runs a script at a terminal, types the keys once it shows the question, and returns what was shown. */
    async runAtTerminal(script: string, settings: Settings, question: string, keys: string): Promise<string> {
      const options = { cwd: folder, env: { ...env, ...settings, TERM: 'xterm' }, cols: 120 };
      const terminal = spawnAtTerminal('bash', ['-ec', script], options);
      let shown = '';
      let isAnswered = false;
      terminal.onData((data) => {
        shown += stripVTControlCharacters(data);
        if (isAnswered || !shown.includes(question)) return;
        isAnswered = true;
        terminal.write(keys);
      });
      await new Promise<unknown>((resolve) => terminal.onExit(resolve));
      return shown;
    },
    /** Inserts text at the one place that the pattern matches. */
    edit(file: string, place: RegExp, inserted: string): void {
      const before = readFileSync(join(folder, file), 'utf8');
      const after = before.replace(place, () => inserted);
      if (after === before) throw new Error(`${file} has no place ${place}`);
      writeFileSync(join(folder, file), after);
    },
    /** Returns the files that are changed or new for git, such as ` M pnpm-lock.yaml`. */
    changes: () => git(folder, 'status', '--porcelain').split('\n').slice(0, -1),
    difference: (file: string) =>
      git(folder, 'diff', '--unified=0', '--', file)
        .split('\n')
        .filter((line) => /^[+-][^+-]/.test(line)),
    [Symbol.dispose]: remove,
  };
}

function git(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
