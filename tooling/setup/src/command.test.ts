import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { ROOT } from './workspace.mjs';

/** Prints how it was started, or does what its first argument says. */
const PROGRAM = `
const [first, ...others] = process.argv.slice(2);
if (first === 'exit') process.exit(Number(others[0]));
if (first === 'stdin') process.stdin.pipe(process.stdout);
else if (first === 'wait') {
  process.on('SIGTERM', () => process.exit(5));
  setInterval(() => undefined, 1_000);
  console.log(process.pid);
} else {
  console.log(JSON.stringify({ file: __filename, flags: process.execArgv, args: process.argv.slice(2), cwd: process.cwd() }));
}
`;

let folder: string;
let checkout: string;
let elsewhere: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-command-')));
  checkout = join(folder, "a -checkout's $(folder)");
  elsewhere = join(folder, '-else where');
  for (const each of ['tooling/bundle', '.toolchain', 'node_modules']) {
    mkdirSync(join(checkout, each), { recursive: true });
  }
  mkdirSync(elsewhere);
  copyFileSync(join(ROOT, 'gatehouse'), join(checkout, 'gatehouse'));
  writeFileSync(join(checkout, 'tooling/bundle/gatehouse.cjs'), PROGRAM);
  writeFileSync(join(checkout, 'node_modules/.gatehouse-set-up'), '');
  symlinkSync(process.execPath, join(checkout, '.toolchain/node'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** PATH has only the system's programs, and no Node. */
const PATH = '/usr/bin:/bin';

function run(
  command: string,
  args: readonly string[] = [],
  {
    cwd = elsewhere,
    env = {},
    input = '',
  }: { cwd?: string; env?: Record<string, string>; input?: string } = {},
) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { PATH, ...env },
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** How the command starts Node. */
const started = (args: readonly string[] = [], cwd = elsewhere) => ({
  file: join(checkout, 'tooling/bundle/gatehouse.cjs'),
  flags: ['--min-semi-space-size=8', '--max-semi-space-size=8'],
  args,
  cwd,
});

const link = (target: string, path: string) => {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place);
  return place;
};

describe('the program starts the command line', () => {
  const ARGS = ['a b', '', '*', '$HOME', "it's", '--help', '-', '--', 'two\nlines'];

  test('with every argument as it is, from any folder', () => {
    const { stdout, stderr } = run(join(checkout, 'gatehouse'), ARGS);
    expect({ ...JSON.parse(stdout), stderr }).toEqual({ ...started(ARGS), stderr: '' });
  });

  test.each([
    ['./gatehouse', (): [string, string] => ['./gatehouse', checkout]],
    ['a relative path', (): [string, string] => ["../a -checkout's $(folder)/gatehouse", elsewhere]],
    [
      'a folder whose name begins with a dash',
      (): [string, string] => {
        link(checkout, '-link');
        return ['-link/gatehouse', folder];
      },
    ],
    [
      'an absolute link',
      (): [string, string] => [link(join(checkout, 'gatehouse'), 'bin/gatehouse'), elsewhere],
    ],
    [
      'a relative link',
      (): [string, string] => [link("../a -checkout's $(folder)/gatehouse", 'bin/g h'), elsewhere],
    ],
    [
      'a link to a link in another folder',
      (): [string, string] => {
        link("../../a -checkout's $(folder)/gatehouse", 'deep/er/one');
        return [link('../deep/er/one', 'bin/two'), elsewhere];
      },
    ],
    [
      'a link below a linked folder',
      (): [string, string] => {
        link("../../a -checkout's $(folder)/gatehouse", 'deep/er/one');
        link('deep/er', 'short');
        return [join(folder, 'short/one'), elsewhere];
      },
    ],
    [
      '.. after a linked folder',
      (): [string, string] => {
        link(join(checkout, 'tooling'), 'short');
        return [`${join(folder, 'short')}/../gatehouse`, elsewhere];
      },
    ],
    [
      'a link in the folder of the call',
      (): [string, string] => {
        link(join(checkout, 'gatehouse'), '-else where/here');
        return ['./here', elsewhere];
      },
    ],
  ])('called by %s', (_, arrange) => {
    const [command, cwd] = arrange();
    const { stdout, stderr } = run(command, ['token', 'list'], { cwd });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ args: ['token', 'list'], cwd, flags: started().flags });
    expect(realpathSync(JSON.parse(stdout).file)).toBe(started().file);
  });

  test('found on PATH, also by a relative entry', () => {
    link(join(checkout, 'gatehouse'), 'bin/gatehouse');
    for (const entry of [join(folder, 'bin'), '../bin', `../a -checkout's $(folder)`]) {
      const { stdout } = run('sh', ['-c', 'gatehouse here'], { env: { PATH: `${entry}:${PATH}` } });
      expect(JSON.parse(stdout)).toEqual(started(['here']));
    }
  });

  test.each(['sh', 'dash', 'bash', 'busybox'].filter((name) => spawnSync('which', [name]).status === 0))(
    'under the shell %s, with its strictest options',
    (shell) => {
      const options = shell === 'busybox' ? ['sh', '-eu'] : ['-eu'];
      const path = link(join(checkout, 'gatehouse'), 'bin/gatehouse');
      expect(JSON.parse(run(shell, [...options, path, 'one']).stdout)).toEqual(started(['one']));
      expect(run(shell, [...options, 'gatehouse'], { cwd: checkout }).status).toBe(0);
    },
  );

  test('whatever the environment says', () => {
    // A Node on PATH that is too old, a CDPATH that has a folder of that name, settings of shells.
    mkdirSync(join(folder, 'old'));
    writeFileSync(join(folder, 'old/node'), '#!/bin/sh\necho v12.22.0; exit 97\n', { mode: 0o755 });
    const env = {
      PATH: `${join(folder, 'old')}:${PATH}`,
      CDPATH: folder,
      ENV: join(folder, 'old/node'),
      IFS: '/',
      root: '/nowhere',
      self: '/nowhere',
      node: '/nowhere',
    };
    expect(JSON.parse(run(join(checkout, 'gatehouse'), ['x'], { env }).stdout)).toEqual(started(['x']));
    expect(run(join(checkout, 'gatehouse'), ['x'], { env: { PATH: '/nowhere' } }).status).toBe(0);
  });

  test.each([0, 1, 6, 130, 255])('and ends with its status %i', (status) => {
    expect(run(join(checkout, 'gatehouse'), ['exit', String(status)])).toEqual({
      status,
      stdout: '',
      stderr: '',
    });
  });

  test('which reads its standard input', () => {
    const input = 'a secret\r\nwithout an end';
    expect(run(join(checkout, 'gatehouse'), ['stdin'], { input }).stdout).toBe(input);
  });

  test('in its own place: signals reach it, and no shell is left', async () => {
    const child = spawn(join(checkout, 'gatehouse'), ['wait'], {
      env: { PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = await once(child.stdout, 'data');
    expect(Number(pid)).toBe(child.pid);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
  });
});

describe('the program says to run the set-up, and ends with status 1', () => {
  const refused = (reason: string) => ({
    status: 1,
    stdout: '',
    stderr: `${reason}: run "npm run setup" in ${checkout}\n`,
  });

  test.each(['.toolchain/node', '.toolchain', 'node_modules'])('without %s', (path) => {
    rmSync(join(checkout, path), { recursive: true });
    expect(run(join(checkout, 'gatehouse'), ['doctor'])).toEqual(refused('Gatehouse is not set up'));
  });

  test('if its Node was removed since', () => {
    rmSync(join(checkout, '.toolchain/node'));
    symlinkSync('/opt/removed/node', join(checkout, '.toolchain/node'));
    const reason = 'The Node of the set-up cannot be run, /opt/removed/node';
    expect(run(join(checkout, 'gatehouse'), ['doctor'])).toEqual(refused(reason));
  });

  test('if its Node has become an older one', () => {
    const program = readFileSync(join(ROOT, 'tooling/bundle/gatehouse.cjs'), 'utf8');
    const { version } = process;
    const older = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' });`;
    writeFileSync(join(checkout, 'older.js'), older);
    writeFileSync(join(checkout, 'tooling/bundle/gatehouse.cjs'), program);
    const { status, stderr } = run(join(checkout, 'gatehouse'), ['doctor'], {
      env: { NODE_OPTIONS: `--import="${join(checkout, 'older.js').replaceAll('"', '\\"')}"` },
    });
    expect({ status, stderr }, version).toEqual({
      status: 1,
      stderr:
        'This is Node 20.20.2, and Node 24 or newer is needed: run "npm run setup" once, which brings it.\n',
    });
  });
});

test('shellcheck finds nothing in the program', ({ skip }) => {
  const { error, stdout } = spawnSync('shellcheck', ['--shell=sh', join(ROOT, 'gatehouse')], {
    encoding: 'utf8',
  });
  if (error) {
    console.warn('The program gatehouse is not checked: shellcheck is not installed');
    skip();
  }
  expect(stdout).toBe('');
});

test('the program of this checkout is executable, and runs', () => {
  expect(run(join(ROOT, 'gatehouse'), ['--version'])).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
});
