import { afterAll, expect, test } from 'vitest';
import { anInstallation, PASSWORD } from '../testing/people.ts';
import { runHere } from '../testing/run-here.ts';
import { CTRL_C, CTRL_D, ENTER, openTerminal } from '../testing/terminal.ts';

const PASSWORD_PROMPT = 'Password (at least 12 characters):';
const SECOND = 'Repeat the password:';

const { settings, drop } = await anInstallation();
afterAll(drop);

function createUser(email: string, ...more: readonly string[]): readonly string[] {
  return ['user', 'create', '--account', '1', '--email', email, '--name', 'A user', ...more];
}

async function users(): Promise<readonly string[]> {
  const { stdout } = await runHere(settings, ['user', 'list', '--json']);
  return JSON.parse(stdout).map(({ email }: { readonly email: string }) => email);
}

async function createToken(name: string): Promise<string> {
  const { stdout } = await runHere(settings, ['token', 'create', '--name', name, '--json']);
  return JSON.parse(stdout).id;
}

async function stateOf(id: string): Promise<string> {
  return JSON.parse((await runHere(settings, ['token', 'show', id, '--json'])).stdout).state;
}

test('a password is asked for twice, and never shown', async () => {
  const terminal = openTerminal(settings, createUser('bo@acme.example', '--role', 'member'));
  await terminal.answer(PASSWORD_PROMPT, `${PASSWORD}${ENTER}`);
  await terminal.answer(SECOND, `${PASSWORD}${ENTER}`);
  await terminal.shows('Created user bo@acme.example (member).');
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown()).not.toContain(PASSWORD);
  expect(terminal.shown()).not.toContain('heavy');
  expect(await users()).toContain('bo@acme.example');
});

test('a weak or mistyped password is asked for again', async () => {
  const terminal = openTerminal(settings, createUser('cy@acme.example', '--role', 'member'));
  await terminal.answer(PASSWORD_PROMPT, `short${ENTER}`);
  await terminal.shows('must be 12 to 1024 characters long');
  // The typed text stays and can be completed.
  terminal.type(` but then long${ENTER}`);
  await terminal.answer(SECOND, `something else${ENTER}`);
  await terminal.answer('The passwords differ', `\u0015short but then long${ENTER}`);
  await terminal.shows('Created user cy@acme.example (member).');
  expect(await terminal.ended).toBe(0);
});

test.each([
  ['Ctrl-C', CTRL_C],
  ['Ctrl-D', CTRL_D],
])('%s at a prompt ends it with 130, and nothing is created', async (_, key) => {
  const terminal = openTerminal(settings, createUser('dee@acme.example', '--role', 'member'));
  await terminal.answer(PASSWORD_PROMPT, key);
  expect(await terminal.ended).toBe(130);
  expect(terminal.shown()).toContain('Interrupted.');
  expect(await users()).not.toContain('dee@acme.example');
});

test('Ctrl-C right after a rejected answer ends it with 130', async () => {
  const terminal = openTerminal(settings, createUser('dee@acme.example', '--role', 'member'));
  await terminal.answer(PASSWORD_PROMPT, `short${ENTER}${CTRL_C}`);
  expect(await terminal.ended).toBe(130);
  expect(terminal.shown()).toMatch(/Interrupted\.\s*$/);
});

test('a revocation prints what would break, and asks', async () => {
  const id = await createToken('ERP');
  const terminal = openTerminal(settings, ['token', 'revoke', id]);
  await terminal.shows('"ERP" of ada@acme.example');
  await terminal.answer('Revoke it?', `y${ENTER}`);
  await terminal.shows('Revoked token');
  expect(await terminal.ended).toBe(0);
  expect(await stateOf(id)).toBe('revoked');
});

test.each([
  ['no', `n${ENTER}`],
  ['nothing', ENTER],
  ['Ctrl-C', CTRL_C],
  ['Ctrl-D', CTRL_D],
])('the answer %s revokes nothing', async (answer, keys) => {
  const id = await createToken(`for ${answer}`);
  const terminal = openTerminal(settings, ['token', 'revoke', id]);
  await terminal.answer('Revoke it?', keys);
  expect(await terminal.ended).toBe(130);
  expect(await stateOf(id)).toBe('active');
});

test('with --yes, or if the token is already revoked, there is no question', async () => {
  const id = await createToken('Wiki');
  const first = openTerminal(settings, ['token', 'revoke', id, '--yes']);
  await first.shows('Revoked token');
  expect(await first.ended).toBe(0);
  const second = openTerminal(settings, ['token', 'revoke', id]);
  await second.shows('was already revoked');
  expect(await second.ended).toBe(0);
  expect(first.shown() + second.shown()).not.toContain('?');
});

test('a table fits the terminal', async () => {
  await createToken('a name that takes up a great deal of room, more than any terminal has to give it');
  const terminal = openTerminal(settings, ['token', 'list']);
  expect(await terminal.ended).toBe(0);
  const widths = terminal
    .shown()
    .split(/\r?\n/)
    .map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(120);
});

test.each([
  ['CR', '\r'],
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('a password that is pasted with a line end (%s) is taken without it', async (name, end) => {
  const email = `pasted-${name.toLowerCase()}@acme.example`;
  const terminal = openTerminal(settings, createUser(email, '--role', 'member'));
  await terminal.answer(PASSWORD_PROMPT, `${PASSWORD}${end}`);
  await terminal.answer(SECOND, `${PASSWORD}${end}`);
  // A password with a line end in it is refused, and one left over would answer the next question.
  await terminal.shows(`Created user ${email}`);
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown()).not.toMatch(/must not hold|differ/);
});
