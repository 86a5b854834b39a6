import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { authenticateOn } from '../testing/authenticate.ts';
import { anInstallation } from '../testing/people.ts';
import { environment, PROGRAM, startCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { ENTER, openTerminal } from '../testing/terminal.ts';

const database = await anInstallation();
const { settings } = database;
afterAll(database.drop);

interface Made {
  readonly id: string;
  readonly token: string;
}

interface Listed {
  readonly name: string;
}

async function made(...args: readonly string[]): Promise<Made> {
  const { stdout, stderr, status } = await runHere(settings, ['token', ...args, '--json']);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

async function shown({ id }: Pick<Made, 'id'>) {
  return JSON.parse((await runHere(settings, ['token', 'show', id, '--json'])).stdout);
}

async function remainingLife({ token }: Pick<Made, 'token'>): Promise<string> {
  const caller = await authenticateOn(database, token);
  return caller.kind === 'refused' ? caller.reason : 'accepted';
}

test.each([
  ['paseto', 'jwt'],
  ['jwt', 'paseto'],
])(
  'a %s token is rotated to a %s one: both work until the new one is used, and then for the grace',
  async (from, to) => {
    const old = await made('create', '--name', `ERP ${from}`, '--format', from, '--expires-in', '90d');
    const next = await made('rotate', old.id, '--format', to, '--grace', '1s');
    expect(await shown(old)).toMatchObject({ state: 'being_replaced' });
    expect(await shown(next)).toMatchObject({ state: 'active', format: to });
    expect(await remainingLife(old)).toBe('accepted');
    const again = await runHere(settings, ['token', 'rotate', old.id]);
    expect(again).toEqual({ status: 5, stdout: '', stderr: expect.stringContaining(`by ${next.id}`) });

    expect(await remainingLife(next)).toBe('accepted');
    const { last_used_at: usedAt } = await shown(next);
    const end = Date.parse(usedAt) + 1000;
    expect(Date.parse((await shown(old)).expires_at)).toBe(end);
    await expect.poll(() => remainingLife(old), { timeout: 5_000 }).toBe('expired');
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    expect(await remainingLife(next)).toBe('accepted');
  },
);

test('with --now the old token is refused as soon as the command ends', async () => {
  const old = await made('create', '--name', 'at once');
  const next = await made('rotate', old.id, '--now', '--yes');
  expect(await remainingLife(old)).toBe('revoked');
  expect(await remainingLife(next)).toBe('accepted');
});

test('at a terminal --now prints what would break, and asks', async () => {
  const old = await made('create', '--name', 'asked');
  const declined = openTerminal(settings, ['token', 'rotate', old.id, '--now']);
  await declined.shows('last used never');
  await declined.answer('Rotate the token now?', `n${ENTER}`);
  expect(await declined.ended).toBe(130);
  expect(await shown(old)).toMatchObject({ state: 'active' });

  const agreed = openTerminal(settings, ['token', 'rotate', old.id, '--now']);
  await agreed.answer('Rotate the token now?', `y${ENTER}`);
  await agreed.shows('Revoked the old token');
  expect(await agreed.ended).toBe(0);
  expect(await remainingLife(old)).toBe('revoked');
});

test('on a full disk the old token stays as it was', async () => {
  const old = await made('create', '--name', 'full', '--never-expires');
  const args = ['token', 'rotate', old.id, '--now', '--yes'];
  const script = '"$0" "$@" >/dev/full';
  const shell = spawn('/bin/sh', ['-c', script, process.execPath, PROGRAM, ...args], {
    env: environment(settings),
  });
  const [said, [status]] = await Promise.all([text(shell.stderr), once(shell, 'exit')]);
  expect(status).toBe(1);
  expect(said).toContain('still works');
  expect(await remainingLife(old)).toBe('accepted');
  expect(await shown(old)).toMatchObject({ state: 'active', expires_at: null });
});

test('if no reader receives the new token, the old one does not change', async () => {
  const old = await made('create', '--name', 'unread');
  const { child, ended } = startCli(settings, ['token', 'rotate', old.id, '--now', '--yes']);
  ended.catch(() => undefined);
  child.stdout?.destroy();
  expect(await once(child, 'exit')).toEqual([1, null]);
  const { stdout } = await runHere(settings, ['token', 'list', '--json']);
  const tokens: readonly Listed[] = JSON.parse(stdout);
  expect(tokens.filter(({ name }) => name === 'unread')).toMatchObject([
    { id: old.id, state: 'active' },
    { state: 'revoked' },
  ]);
  expect(await remainingLife(old)).toBe('accepted');
});
