import { expect, onTestFinished, test } from 'vitest';
import { anInstallation } from '../testing/people.ts';
import type { ProcessEnvironment } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { CTRL_C, ENTER, openTerminal } from '../testing/terminal.ts';

/** A key that another one has replaced, with one token that never expires. */
async function anOldKey() {
  const database = await anInstallation();
  onTestFinished(database.drop);
  const settings: ProcessEnvironment = { ...database.settings, MAX_STALENESS_MS: '500' };
  const run = async (args: readonly string[]) => {
    const { status, stdout, stderr } = await runHere(settings, args);
    expect(stderr).not.toContain('error:');
    expect(status).toBe(0);
    return stdout.trim();
  };
  await run(['token', 'create', '--name', 'ERP', '--never-expires']);
  const keys = JSON.parse(await run(['key', 'list', '--json']));
  const old = keys.find(({ format }: { readonly format: string }) => format === 'paseto').id;
  const id = await run(['key', 'create']);
  const activated = async () => (await runHere(settings, ['key', 'activate', id])).status;
  await expect.poll(activated, { timeout: 20_000 }).toBe(0);
  return { settings, run, old };
}

test('retiring prints what would break, and asks; a retirement that will be refused is not asked for', async () => {
  const { settings, run, old } = await anOldKey();
  const retire = (...more: readonly string[]) => openTerminal(settings, ['key', 'retire', old, ...more]);
  const stateOf = async () =>
    JSON.parse(await run(['key', 'list', '--json'])).find(({ id }: { readonly id: string }) => id === old);

  const refused = retire();
  await refused.shows('The key was not retired, because it has 1 live token.');
  expect(await refused.ended).toBe(5);
  expect(refused.shown()).not.toContain('Retire this key?');

  for (const [answer, status] of [
    [ENTER, 130],
    [CTRL_C, 130],
  ] as const) {
    const declined = retire('--revoke-tokens');
    await declined.shows('The key has 1 live token, last used never.');
    await declined.answer('Retire this key?', answer);
    expect(await declined.ended).toBe(status);
  }
  expect(await stateOf()).toMatchObject({ state: 'verify-only', live_tokens: 1, retirable_at: null });

  const sure = retire('--revoke-tokens');
  await sure.answer('Retire this key?', `y${ENTER}`);
  await sure.shows('Revoked 1 live token of the key.');
  expect(await sure.ended).toBe(0);
  expect(await stateOf()).toMatchObject({ state: 'retired', live_tokens: 0 });
});
