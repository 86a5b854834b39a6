import { UnavailableFault } from '@gatehouse/domain';
import { givenAccount, givenToken, givenUser } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';

const UNKNOWN = '019a0000-0000-7000-8000-000000000000';
const YES = [...AS_ADA, '--yes'];

/** Three tokens of Ada's, and one of another account. */
async function givenTokens() {
  const cli = await givenAda();
  const bolt = await givenAccount(cli.store, 'Bolt');
  const cy = await givenUser(cli.store, bolt.id, { email: 'cy@bolt.example' });
  const [erp, wiki, mes] = [
    await givenToken(cli.store, cli.ada, { name: 'ERP' }),
    await givenToken(cli.store, cli.ada, { name: 'Wiki' }),
    await givenToken(cli.store, cli.ada, { name: 'MES' }),
  ];
  const foreign = await givenToken(cli.store, cy, { name: 'Foreign' });
  const stateOf = async (id: typeof erp.id) =>
    (await cli.store.tokens.findRecord(id))?.revocation ? 'revoked' : 'active';
  return { ...cli, erp, wiki, mes, foreign, stateOf };
}

/** Creates tokens of Ada's with these names, and returns their secrets. */
async function givenSecrets(...names: readonly string[]) {
  const cli = await givenAda();
  const tokens: { readonly id: string; readonly secret: string }[] = [];
  for (const name of names) {
    const { stdout } = await cli.run(['token', 'create', ...AS_ADA, '--name', name, '--json']);
    const { id, token: secret } = JSON.parse(stdout);
    tokens.push({ id, secret });
  }
  const states = async () =>
    JSON.parse((await cli.run(['token', 'list', '--json'])).stdout).map(
      ({ state }: { state: string }) => state,
    );
  return { ...cli, tokens, states };
}

test('an invalid reason revokes nothing', async () => {
  const { run, erp, wiki, stateOf } = await givenTokens();
  const refused = await run(['token', 'revoke', erp.id, wiki.id, ...YES, '--reason', 'x'.repeat(501)]);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--reason') });
  expect(await stateOf(erp.id)).toBe('active');
});

test('after a fault in between it prints for each token whether it is revoked', async () => {
  const { run, erp, wiki, mes, gatehouse } = await givenTokens();
  const { revokeToken } = gatehouse;
  Object.assign(gatehouse, {
    revokeToken: (...args: Parameters<typeof revokeToken>) =>
      args[1].id === wiki.id
        ? Promise.reject(new UnavailableFault('the database does not answer'))
        : revokeToken(...args),
  });
  const failed = await run(['token', 'revoke', UNKNOWN, erp.id, wiki.id, mes.id, ...YES, '--quiet']);
  expect(failed).toEqual({
    status: 1,
    stdout: '',
    stderr: [
      `Revoked: ${erp.id}.`,
      `Possibly revoked: ${wiki.id}.`,
      `Not revoked: ${UNKNOWN}, ${mes.id}.`,
      'error: the database does not answer',
      '',
    ].join('\n'),
  });
});

test('an interrupt in between ends it after the current revocation, with the same summary', async () => {
  const { run, erp, wiki, mes, gatehouse, stateOf } = await givenTokens();
  const { revokeToken } = gatehouse;
  const interrupt = new AbortController();
  Object.assign(gatehouse, {
    revokeToken: (...args: Parameters<typeof revokeToken>) => {
      if (args[1].id === wiki.id) interrupt.abort();
      return revokeToken(...args);
    },
  });
  const args = ['token', 'revoke', erp.id, wiki.id, mes.id, ...YES, '--quiet'];
  expect(await run(args, { signal: interrupt.signal })).toEqual({
    status: 130,
    stdout: '',
    stderr: `Revoked: ${erp.id}, ${wiki.id}.\nNot revoked: ${mes.id}.\nInterrupted.\n`,
  });
  expect(await stateOf(mes.id)).toBe('active');
});

test('an interrupt does not wait long for a database that does not respond', async () => {
  const { run, erp, wiki, gatehouse } = await givenTokens();
  const interrupt = new AbortController();
  Object.assign(gatehouse, {
    revokeToken: () => {
      interrupt.abort();
      return new Promise(() => {});
    },
  });
  const args = ['token', 'revoke', erp.id, wiki.id, ...YES];
  expect(await run(args, { signal: interrupt.signal })).toMatchObject({
    status: 130,
    stderr: `Possibly revoked: ${erp.id}.\nNot revoked: ${wiki.id}.\nInterrupted.\n`,
  });
});

test('several are revoked by themselves, one per line; an unknown token is reported by its line number', async () => {
  const { run, tokens, states } = await givenSecrets('ERP', 'Wiki');
  const [erp = '', wiki = ''] = tokens.map(({ secret }) => secret);
  const stdin = [erp, '', `${wiki}A`, 'x', erp, ` ${wiki} `, ''].join('\n');
  const done = await run(['token', 'revoke', '--stdin', ...YES, '--json'], { stdin });
  expect(done.status).toBe(6);
  expect(JSON.parse(done.stdout)).toEqual([
    expect.objectContaining({ id: tokens[0]?.id, state: 'revoked' }),
    { line: 3, error: { code: 'token_not_recognized', message: expect.stringContaining('signature') } },
    { line: 4, error: { code: 'token_not_recognized', message: expect.stringContaining('format') } },
    expect.objectContaining({ id: tokens[1]?.id, state: 'revoked' }),
  ]);
  expect(done.stderr).toMatch(/^line 3: This is not a token of this service: its signature is invalid/m);
  expect(done.stderr).toMatch(/^line 4: /m);
  expect(await states()).toEqual(['revoked', 'revoked']);
  for (const secret of [erp, wiki]) expect(done.stdout + done.stderr).not.toContain(secret.slice(-20));
});

test('an expired token is revoked by itself; another account’s and invalid text are not found', async () => {
  const { run, tokens, clock, store } = await givenSecrets('ERP');
  const bolt = await givenAccount(store, 'Bolt');
  await givenUser(store, bolt.id, { email: 'cy@bolt.example' });
  const stdin = tokens[0]?.secret ?? '';
  const theirs = ['token', 'revoke', '--stdin', '--as', 'cy@bolt.example', '--yes'];
  expect(await run(theirs, { stdin })).toMatchObject({ status: 3, stdout: '' });
  const none = await run(['token', 'revoke', '--stdin', ...YES], { stdin: `${stdin}A` });
  expect(none).toMatchObject({
    status: 3,
    stdout: '',
    stderr: expect.stringMatching(/^error: This is not a token/),
  });
  clock.advance(400 * 86_400_000);
  expect(await run(['token', 'revoke', '--stdin', ...YES], { stdin })).toMatchObject({ status: 0 });
});
