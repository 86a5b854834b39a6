import { afterAll, expect, test } from 'vitest';
import { anInstallation } from '../../../testing/people.ts';
import { runHere } from '../../../testing/run-here.ts';

const { settings, drop } = await anInstallation();
afterAll(drop);

const REVOKE = ['token', 'revoke', '--stdin', '--yes'];
const FOREIGN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';

interface Made {
  readonly id: string;
  readonly token: string;
}

async function givenToken(name: string, format: 'paseto' | 'jwt'): Promise<Made> {
  const made = await runHere(settings, ['token', 'create', '--json', '--name', name, '--format', format]);
  return JSON.parse(made.stdout);
}

async function stateOf({ id }: Made): Promise<string> {
  return JSON.parse((await runHere(settings, ['token', 'show', id, '--json'])).stdout).state;
}

const found = (secret: string) => ({ RuleID: 'gatehouse', Match: `TOKEN="${secret}"`, Secret: secret });

test('the tokens in a scanner’s report are revoked once each, and those of others are counted', async () => {
  const made = [await givenToken('ERP', 'paseto'), await givenToken('Wiki', 'jwt')];
  const secrets = [...made.map(({ token }) => token), FOREIGN];
  // As gitleaks writes it, and on one line.
  const reports = [JSON.stringify(secrets.map(found), null, 1), JSON.stringify({ runs: secrets.map(found) })];
  for (const stdin of reports) {
    expect(await runHere(settings, [...REVOKE, '--dry-run'], { stdin })).toMatchObject({ status: 0 });
  }
  expect(await Promise.all(made.map(stateOf))).toEqual(['active', 'active']);
  for (const stdin of reports) {
    const done = await runHere(settings, [...REVOKE, '--json', '--reason', 'leaked'], { stdin });
    expect(done).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('The report has 3 tokens: 2 of this account, 1 unknown.'),
    });
    expect(JSON.parse(done.stdout)).toMatchObject(made.map(({ id }) => ({ id, state: 'revoked' })));
    for (const secret of secrets) expect(done.stdout + done.stderr).not.toContain(secret.slice(-20));
  }
  expect(await Promise.all(made.map(stateOf))).toEqual(['revoked', 'revoked']);
});

test.each([
  [
    'none of ours',
    JSON.stringify(found(FOREIGN)),
    0,
    'The report has one token: 0 of this account, 1 unknown.',
  ],
  ['no token', JSON.stringify([found('REDACTED')]), 2, 'the scanner has to write them in full'],
  ['nothing', '[]', 2, 'The report on standard input has no tokens'],
])('a report with %s revokes nothing, and says so', async (_, stdin, status, said) => {
  expect(await runHere(settings, REVOKE, { stdin })).toMatchObject({
    status,
    stderr: expect.stringContaining(said),
  });
});

test('a part of a token is none, and neither is what only looks like a report', async () => {
  const made = await givenToken('MES', 'paseto');
  const part = JSON.stringify(found(made.token.slice(0, -1)));
  expect(await runHere(settings, REVOKE, { stdin: part })).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('0 of this account, 1 unknown'),
  });
  // Not JSON, so each line has to be a token: the failure is told.
  expect(await runHere(settings, REVOKE, { stdin: `[${made.token}]` })).toMatchObject({ status: 3 });
  expect(await stateOf(made)).toBe('active');
});
