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
  ['no token', JSON.stringify([found('REDACTED')]), 2, 'make the scanner write the tokens in full'],
  ['nothing', '[]', 2, 'The report on standard input has no complete tokens'],
])('a report with %s revokes nothing, and says so', async (_, stdin, status, said) => {
  expect(await runHere(settings, REVOKE, { stdin })).toMatchObject({
    status,
    stderr: expect.stringContaining(said),
  });
});

test.each<[string, (secrets: readonly string[]) => string]>([
  [
    'CSV',
    (all) => ['RuleID,Secret,Match', ...all.map((each) => `gatehouse,${each},"T=""${each}"""`)].join('\r\n'),
  ],
  ['an object on each line', (all) => all.map((each) => `${JSON.stringify({ Raw: each })}\n`).join('')],
  ['XML', (all) => `<testsuite>${all.map((each) => `<failure message="${each}"/>`).join('\n')}</testsuite>`],
  ['lines of a log', (all) => all.map((each) => `GET /x "Authorization: Bearer ${each}" 200`).join('\n')],
])('a report that is %s is read as one of JSON is', async (kind, write) => {
  const made = [await givenToken(`${kind} 1`, 'paseto'), await givenToken(`${kind} 2`, 'jwt')];
  const stdin = write([...made.map(({ token }) => token), FOREIGN]);
  expect(await runHere(settings, [...REVOKE, '--reason', 'leaked'], { stdin })).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('The report has 3 tokens: 2 of this account, 1 unknown.'),
  });
  expect(await Promise.all(made.map(stateOf))).toEqual(['revoked', 'revoked']);
});

test('a part of a token is none, and a list with a line that is none says which', async () => {
  const made = await givenToken('MES', 'paseto');
  const part = JSON.stringify(found(made.token.slice(0, -1)));
  expect(await runHere(settings, REVOKE, { stdin: part })).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('0 of this account, 1 unknown'),
  });
  expect(await stateOf(made)).toBe('active');
  const list = `Bearer ${made.token}\nv4.public.cut\n`;
  expect(await runHere(settings, REVOKE, { stdin: list })).toMatchObject({
    status: 6,
    stderr: expect.stringContaining('line 2: This is not a token of this service'),
  });
  expect(await stateOf(made)).toBe('revoked');
});
