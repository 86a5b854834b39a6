import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installationSettings, parseSettings } from '../index.ts';

const SECRET = 'hunter2-hunter2';

const ENTRA = {
  id: 'entra',
  label: 'Entra ID',
  issuer: 'https://login.microsoftonline.com/7/v2.0',
  clientId: 'f3a1',
  clientSecretFile: 'secret',
  accounts: [1],
};

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-providers-'));
  file = join(folder, 'providers.json');
  await writeFile(join(folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true }));

const parse = () => parseSettings(installationSettings, { IDENTITY_PROVIDERS_FILE: file });

async function problemsOf(content: unknown): Promise<string> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(file, text, { mode: 0o600 });
  const parsed = parse();
  return parsed.ok ? '' : parsed.error.join('\n').replaceAll(folder, '<folder>');
}

/** The problem of one provider that differs from a good one. */
async function problemWith(parts: object): Promise<string> {
  return (await problemsOf({ providers: [{ ...ENTRA, ...parts }] })).replace(
    /^IDENTITY_PROVIDERS_FILE names <folder>\/providers.json: provider (?:1|"entra"): /,
    '',
  );
}

test('no file means no providers', () => {
  expect(parseSettings(installationSettings, {})).toMatchObject({ value: { IDENTITY_PROVIDERS_FILE: [] } });
});

test('a provider needs few fields, and its secret is read from the file beside', async () => {
  expect(await problemsOf({ providers: [ENTRA] })).toBe('');
  const { clientSecretFile: _, ...provider } = ENTRA;
  expect(parse()).toMatchObject({
    value: {
      IDENTITY_PROVIDERS_FILE: [
        {
          ...provider,
          clientSecret: { path: join(folder, 'secret'), value: SECRET, isRegular: true },
          linkByEmailOf: [],
          createUsersIn: null,
          roles: null,
          scopes: ['openid', 'email', 'profile'],
        },
      ],
    },
  });
});

test('a provider may have every field, and need no secret', async () => {
  const full = {
    ...ENTRA,
    clientSecretFile: undefined,
    accounts: [1, 2],
    linkByEmailOf: ['acme.example', 'xn--bcher-kva.example'],
    createUsersIn: 2,
    roles: { claim: 'groups', rules: [{ value: 'gatehouse-admins', role: 'admin' }] },
    scopes: ['openid', 'email'],
  };
  expect(
    await problemsOf({ providers: [full, { ...ENTRA, id: 'other', issuer: 'https://other.example' }] }),
  ).toBe('');
  const { clientSecretFile: _, ...rest } = full;
  expect(parse()).toMatchObject({
    value: { IDENTITY_PROVIDERS_FILE: [{ ...rest, clientSecret: undefined }, {}] },
  });
});

test.each([
  ['{"providers": [}', 'names <folder>/providers.json, whose content is not JSON'],
  [
    '{"providers"\n: [{"id" 1}]}',
    'names <folder>/providers.json, whose content is not JSON at line 2 column 10',
  ],
  ['[]', 'names <folder>/providers.json, whose content must be {"providers": [...]}'],
  [
    '{"providers": [], "more": 1}',
    'names <folder>/providers.json, whose content must be {"providers": [...]}',
  ],
  ['', 'names <folder>/providers.json, which is empty: it must contain JSON with a list "providers"'],
  [
    { providers: [7] },
    'names <folder>/providers.json: provider 1: must be an object with id, label, issuer, clientId, clientSecretFile, accounts, linkByEmailOf, createUsersIn, roles, scopes',
  ],
  [
    { providers: [ENTRA, { ...ENTRA, issuer: 'https://other.example' }] },
    'names <folder>/providers.json: provider "entra": another provider has the same id',
  ],
  [
    { providers: [ENTRA, { ...ENTRA, id: 'other' }] },
    'names <folder>/providers.json: provider "other": another provider has the same issuer',
  ],
  [
    { providers: Array.from({ length: 21 }, () => ENTRA) },
    'names <folder>/providers.json, which has more than 20 providers',
  ],
])('the content %j is refused', async (content, problem) => {
  expect(await problemsOf(content)).toBe(`IDENTITY_PROVIDERS_FILE ${problem}`);
});

const ISSUER =
  'issuer must be the address of the provider with https, exactly as in the claim iss, such as "https://login.example/tenant"';
const RULE = { value: 'a', role: 'admin' };

test.each<[object, string]>([
  [
    { id: undefined },
    'id is missing: it must be a letter and up to 31 lower-case letters, digits and single hyphens, such as "entra"',
  ],
  [{ label: 'x'.repeat(61) }, 'label must be the name on the sign-in page, of 1 to 60 characters'],
  [{ label: 'Entra\n' }, 'label must be the name on the sign-in page, of 1 to 60 characters'],
  [{ issuer: 'http://login.example' }, ISSUER],
  [{ issuer: 'https://login.example?tenant=7' }, ISSUER],
  [
    { clientId: 'a b' },
    'clientId must be the id that the provider gave Gatehouse, of visible ASCII characters',
  ],
  [{ accounts: [] }, 'accounts must be a list of ids of accounts, such as [1]'],
  [{ accounts: ['1'] }, 'accounts must be a list of ids of accounts, such as [1]'],
  [{ accounts: [1, 1] }, 'accounts must not have an entry twice'],
  [
    { linkByEmailOf: ['Acme.example'] },
    'linkByEmailOf must be a list of domains in lower case, such as ["acme.example"]',
  ],
  [
    { linkByEmailOf: ['ada@acme.example'] },
    'linkByEmailOf must be a list of domains in lower case, such as ["acme.example"]',
  ],
  [
    { linkByEmailOf: ['example'] },
    'linkByEmailOf must be a list of domains in lower case, such as ["acme.example"]',
  ],
  [{ createUsersIn: 2, roles: { claim: 'groups', rules: [RULE] } }, 'createUsersIn must be one of accounts'],
  [{ createUsersIn: 1 }, 'createUsersIn needs roles, because a new user has no role yet'],
  [
    { roles: { claim: 'groups', rules: [] } },
    'roles has problems: rules must be a list of at least one rule, such as {"value": "gatehouse-admins", "role": "admin"}, with each value once',
  ],
  [
    { roles: { claim: 'groups', rules: [{ value: 'a', role: 'owner' }] } },
    'roles has problems: rules must be a list of at least one rule, such as {"value": "gatehouse-admins", "role": "admin"}, with each value once',
  ],
  [
    { roles: { claim: 'groups', rules: [RULE, RULE] } },
    'roles has problems: rules must not have an entry twice',
  ],
  [{ scopes: ['email'] }, 'scopes must contain "openid"'],
  [{ scopes: ['openid email'] }, 'scopes must be a list of scopes, such as ["openid", "email", "profile"]'],
  [
    { clientSecret: SECRET },
    'clientSecret must not be in this file: put the secret in a file of its own, which clientSecretFile names',
  ],
  [
    { clientID: 'x' },
    '"clientID" is not a field: there are id, label, issuer, clientId, clientSecretFile, accounts, linkByEmailOf, createUsersIn, roles, scopes',
  ],
  [
    { clientSecretFile: 'missing' },
    'clientSecretFile names <folder>/missing, which cannot be read: no such file or directory',
  ],
])('a provider with %j is refused, and no value is repeated', async (parts, problem) => {
  expect(await problemWith(parts)).toBe(problem);
});

test('all problems are named at once, each with its provider', async () => {
  const problems = await problemsOf({ providers: [{ ...ENTRA, label: 7, accounts: 1 }, { id: 'other' }] });
  expect(problems.split(/: provider |; provider /).slice(1)).toEqual([
    expect.stringMatching(/^"entra": label/),
    expect.stringMatching(/^"entra": accounts/),
    expect.stringMatching(/^"other": label/),
    expect.stringMatching(/^"other": issuer/),
    expect.stringMatching(/^"other": clientId/),
    expect.stringMatching(/^"other": accounts/),
  ]);
});

test('a mistake in the JSON never repeats what is beside it', async () => {
  expect(await problemsOf(`{"providers": [{"clientSecret": ${SECRET}}]}`)).not.toContain('hunter');
});

test.each(['providers.json', 'secret'])('%s must be private', async (name) => {
  await problemsOf({ providers: [ENTRA] });
  await chmod(join(folder, name), 0o644);
  expect(parse()).toMatchObject({ error: [expect.stringMatching(/must be private: .*chmod 600/)] });
});

test.each(['providers.json', 'secret'])('%s is no pipe, because it is read again', async (name) => {
  await writeFile(file, JSON.stringify({ providers: [ENTRA] }), { mode: 0o600 });
  const path = join(folder, name);
  await rm(path);
  execFileSync('mkfifo', ['-m', '600', path]);
  const writing = writeFile(path, name === 'secret' ? SECRET : '{"providers": []}');
  expect(parse()).toMatchObject({ error: [expect.stringContaining('must be a file and not a pipe')] });
  await writing;
});

test.each(['two\nlines', 'caf\u00e9', '\u0000'])('the secret %j is refused', async (secret) => {
  await writeFile(join(folder, 'secret'), secret, { mode: 0o600 });
  expect(await problemWith({})).toMatch(
    /^clientSecretFile names .* must be the client secret in one line of ASCII/,
  );
});
