import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anInstallation } from '../testing/people.ts';
import { environment, PROGRAM, runCli } from '../testing/process.ts';

const { settings, drop } = await anInstallation();
afterAll(drop);

beforeAll(async () => {
  const created = await runCli(settings, ['token', 'create', '--name', 'ERP', '--never-expires']);
  expect(created).toMatchObject({ status: 0 });
});

/** Runs `gatehouse` with these arguments in a shell, and returns its status and standard error. */
async function inShell(words: string, around = (command: string) => command) {
  const script = `${around(`"$0" "$1" ${words}`)}`;
  const shell = spawn('bash', ['-c', script, process.execPath, PROGRAM], { env: environment(settings) });
  const [said, [status]] = await Promise.all([text(shell.stderr), once(shell, 'exit')]);
  return { status, said };
}

async function tokensCalled(name: string): Promise<readonly { readonly state: string }[]> {
  const { stdout } = await runCli(settings, ['token', 'list', '--json']);
  return JSON.parse(stdout).filter((token: { readonly name: string }) => token.name === name);
}

test.each([
  'token list',
  'token list --json',
  'token show ERP',
  'audit list --jsonl',
  'doctor',
  'completion bash',
  '--help',
])('a reader that closes %s early is not a failure', async (words) => {
  for (const reader of ['true', 'head -c 1 >/dev/null']) {
    const { status, said } = await inShell(words, (command) => `${command} | ${reader}; exit "$PIPESTATUS"`);
    // A check with findings still reports them.
    expect([0, ...(words === 'doctor' ? [6] : [])], said).toContain(status);
    expect(said).not.toMatch(/EPIPE|\n +at /);
  }
});

test.each([
  ['token revoke 019a0000-0000-7000-8000-000000000000 019a0000-0000-7000-8000-000000000001 --yes --json', 6],
  // The token without an expiry is a finding.
  ['doctor', 6],
  ['doctor --json', 6],
  ['account create --name Unread', 0],
])(
  'under pipefail, a reader that closes standard output of %s does not change its status',
  async (words, status) => {
    const piped = await inShell(words, (command) => `set -o pipefail; ${command} | true`);
    expect(piped.status, piped.said).toBe(status);
    expect(piped.said).not.toMatch(/EPIPE|\n +at /);
  },
);

test.each(['token list --json', 'account create --name Full', 'key new-master', 'completion bash', '--help'])(
  'output that %s cannot write to a full disk is a fault, reported in one line',
  async (words) => {
    const { status, said } = await inShell(words, (command) => `${command} > /dev/full`);
    const errors = said.split('\n').filter((line) => line.startsWith('error:'));
    expect({ status, errors }).toEqual({
      status: 1,
      errors: [expect.stringContaining('no space left on device')],
    });
    expect(said).not.toMatch(/\n +at /);
  },
);

test.each([
  ['a full disk', '> /dev/full'],
  ['no reader', '| true; exit "$PIPESTATUS"'],
])('a token that %s gets is so it was revoked', async (who, redirection) => {
  const name = `for ${who}`;
  const words = `token create --name '${name}'`;
  const { status, said } = await inShell(words, (command) => `${command} ${redirection}`);
  expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining('so it was revoked') });
  expect(await tokensCalled(name)).toMatchObject([{ state: 'revoked' }]);
});

test('without standard error the exit status is still right', async () => {
  for (const redirection of ['2>&-', '2>/dev/full']) {
    const around = (command: string) => `${command} ${redirection}`;
    expect(await inShell('token show nothing', around), redirection).toEqual({ status: 3, said: '' });
    expect(
      await inShell(`token create --name 'silent ${redirection}' --quiet >/dev/null`, around),
    ).toMatchObject({ status: 0 });
  }
});

test('without standard input there is no question and no assumed answer', async () => {
  const before = await tokensCalled('ERP');
  for (const [words, status] of [
    ['token revoke ERP', 2],
    ['user create --account 1 --email cy@acme.example --name Cy --role member --password-stdin', 2],
    ['user create --account 1 --email cy@acme.example --name Cy --role member', 2],
    ['user set-password ada@acme.example --password-stdin', 2],
    ['user disable ada@acme.example', 2],
    ['token inspect', 2],
  ] as const) {
    for (const closed of ['<&-', '</dev/null']) {
      const refused = await inShell(words, (command) => `${command} ${closed}`);
      expect(refused, `${words} ${closed}`).toEqual({ status, said: expect.stringMatching(/^error: /) });
    }
  }
  expect(await tokensCalled('ERP')).toEqual(before);
});

test('without standard output a command still does its work', async () => {
  expect(await inShell('account create --name Unseen --quiet', (command) => `${command} >&-`)).toEqual({
    status: 0,
    said: '',
  });
});
