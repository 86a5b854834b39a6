import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeLauncher } from './launcher.ts';
import { readNodePackages } from './node-packages.ts';

const PLACE = `${process.platform}-${process.arch}`;
const { name = '', version = '' } = readNodePackages()[PLACE] ?? {};

/** Prints how it was started, or waits for the end that its argument names. */
const PROGRAM = `
const [first, second] = process.argv.slice(2);
if (first === 'exit') process.exit(Number(second));
if (first === 'wait') {
  process.on('SIGTERM', () => process.exit(5));
  process.on('disconnect', () => process.exit());
  setInterval(() => undefined, 1_000);
  process.stdout.write('waits ' + process.pid);
} else process.stdout.write(JSON.stringify({ arguments: process.argv.slice(2), flags: process.execArgv, channel: process.connected === true }));
`;

let folder: string;
const bin = (program: string) => join(folder, 'node_modules/gatehouse/bin', `${program}.cjs`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-launcher-'));
  const installed = join(folder, 'node_modules/gatehouse');
  writeLauncher(installed);
  writeFileSync(join(installed, 'package.json'), '{ "version": "2.3.0" }');
  mkdirSync(join(installed, 'programs'));
  for (const program of ['gatehouse.js', 'gatehouse-server.js'])
    writeFileSync(join(installed, 'programs', program), PROGRAM);
  // An old Node: the launcher sees this version, and the Node that it starts sees its own.
  writeFileSync(
    join(folder, 'old.cjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs a package with this machine's Node, which says that it has a version. */
function installNode(installedVersion: string): void {
  const installed = join(folder, 'node_modules', name);
  mkdirSync(join(installed, 'bin'), { recursive: true });
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name, version: installedVersion }));
  writeFileSync(join(installed, 'bin/node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
}

const run = (program: string, args: readonly string[], flags: readonly string[] = []) =>
  spawnSync(process.execPath, [...flags, bin(program), ...args], { encoding: 'utf8' });
const old = () => ['--require', join(folder, 'old.cjs')];

/** Starts a program that waits, and returns its launcher and its own process id. */
async function startWaiting(program: string, flags: readonly string[]) {
  const launcher: ChildProcess = spawn(process.execPath, [...flags, bin(program), 'wait'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void launcher.kill('SIGKILL'));
  const [text] = await once(launcher.stdout ?? expect.fail(), 'data');
  return { launcher, pid: Number(/waits (\d+)/.exec(String(text))?.[1]) };
}

test.each(['gatehouse', 'gatehouse-server'])(
  'under an older Node without a newer one, %s names the command that installs one',
  (program) => {
    expect(run(program, [], old())).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `${program}: This is Node 20.1.0, and Node 24 or newer is needed. To install a newer one beside it, run "npm install --save-exact ${name}@${version}" in the folder where you installed gatehouse.\n`,
    });
    installNode('22.0.0');
    expect(run(program, [], old())).toMatchObject({ status: 1, stdout: '' });
    rmSync(join(folder, 'node_modules', name), { recursive: true });
  },
);

test('under an older Node, both programs run by the newer one beside them, and keep arguments and exit status', () => {
  installNode(version);
  expect(JSON.parse(run('gatehouse', ['org', 'list'], old()).stdout)).toMatchObject({
    arguments: ['org', 'list'],
  });
  expect(JSON.parse(run('gatehouse-server', ['a b'], old()).stdout)).toEqual({
    arguments: ['a b'],
    flags: ['--max-semi-space-size=16'],
    channel: true,
  });
  for (const program of ['gatehouse', 'gatehouse-server'])
    expect(run(program, ['exit', '7'], old()).status).toBe(7);
});

test('under a newer Node, the command runs in its process, and the server gets the flags of Node', () => {
  expect(JSON.parse(run('gatehouse', ['org']).stdout)).toEqual({
    arguments: ['org'],
    flags: [],
    channel: false,
  });
  expect(JSON.parse(run('gatehouse-server', []).stdout)).toMatchObject({
    flags: ['--max-semi-space-size=16'],
  });
  expect(run('gatehouse', ['exit', '7']).status).toBe(7);
});

test('the server tells its version and its use without being started', () => {
  expect(run('gatehouse-server', ['--version'], old()).stdout).toBe('2.3.0\n');
  expect(run('gatehouse-server', ['--help']).stdout).toContain('its settings are environment variables');
});

test('a signal reaches the program, whose exit status is kept', async () => {
  installNode(version);
  for (const [program, flags] of [
    ['gatehouse', old()],
    ['gatehouse-server', []],
  ] as const) {
    const { launcher } = await startWaiting(program, flags);
    const ended = once(launcher, 'exit');
    launcher.kill('SIGTERM');
    expect(await ended).toEqual([5, null]);
  }
});

test('the server ends if the process that started it is killed', async () => {
  const { launcher, pid } = await startWaiting('gatehouse-server', []);
  launcher.kill('SIGKILL');
  const isRunning = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning).toBe(false);
});
