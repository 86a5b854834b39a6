import { sized } from '@gatehouse/fault-figures';
import { createVisitor, pagesAbout, type Visitor } from '@gatehouse/pages/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { issue } from '../../testing/issue.ts';
import type { DemoServer } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

/**
 * Numbers, durations, days and texts at the ends of what each part between a field and the database can hold, and
 * beyond.
 */
const EXTREMES = [
  ...['', ' ', '0', '-1', '1.5', '1e308', 'NaN', 'Infinity', '٣', '0x10', '9'.repeat(400)],
  ...['2147483648', '9007199254740993', '9223372036854775808', '999999999999999'],
  ...['100000000d', '999999999w', '999999999s', '999999999m', '0d', '1y', '٣d', '-1d', '9999d', 'neverd'],
  ...['9999-12-31', '0000-01-01', '0001-01-01', '1969-12-31', '+275760-09-13', '-271821-04-20', '2026-02-30'],
  ...['2026-13-01T00:00:00Z', '9999-12-31T23:59:60Z'],
  ...['\u0000', 'a\u0000b', '\ufffe\uffff', '\u202e', '💥'.repeat(600), 'x'.repeat(8000), '%', '\\', "';--"],
  ...['__proto__', 'constructor', 'null', 'never', 'date', '00000000-0000-7000-8000-000000000000'],
  ...['ffffffff-ffff-7fff-bfff-ffffffffffff', `ffffffff-ffff-7fff-bfff-ffffffffffff${'9'.repeat(30)}`],
];

/**
 * All of them for each field take a minute of CPU. A run without `FAULTS_SIZE=full` takes a sixth, another one for
 * each field.
 */
const STEP = sized({ short: 6, full: 1 });
const TURN = Math.floor(Math.random() * STEP);
const extremesFor = (field: number) => EXTREMES.filter((_, index) => (index + field + TURN) % STEP === 0);

/** Further fields without which a form does not look at the tested one. */
const ENOUGH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Create token': { name: 'Nightly', scopes: '*' },
};

const TOGETHER: Readonly<Record<string, Readonly<Record<string, string>>>> = { date: { expires: 'date' } };

/** The parameters that pages read. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/settings/api': [
    ...['section', 'search', 'state', 'scope', 'owner', 'unused_for', 'expires', 'order', 'after', 'before'],
  ],
  '/settings/api/activity': ['kind', 'user', 'token', 'from', 'to', 'before'],
  '/settings/organizations': ['search', 'after', 'before'],
  '/settings/api/new': ['name', 'scope', 'expires_in', 'format'],
  '/settings/users': ['search', 'role', 'status', 'order', 'after', 'before'],
  '/sign-in': ['next', 'waited'],
};

describe('on PostgreSQL', () => {
  let served: DemoServer;
  let visitor: Visitor;
  beforeAll(async () => {
    served = await startTestServer({ database: 'postgres' });
    visitor = createVisitor(served.url);
    await visitor.signIn(served.demo.admin);
  }, 60_000);
  afterAll(() => served[Symbol.asyncDispose]());

  /** The pages about a token that is there, and that no longest lifetime refuses which the forms set. */
  const pagesOfToken = async () => pagesAbout((await issue(served, { expiry: { in: 3_600_000 } })).record.id);

  const headers = () => ({ 'content-type': 'application/x-www-form-urlencoded', origin: served.url });

  test('no value of a field makes a form fail on our side', async () => {
    const failed: unknown[] = [];
    const sent = new Set<string>();
    for (const place of (await pagesOfToken()).keys()) {
      const open = async () => {
        const path = (await pagesOfToken())[place] ?? '';
        return /first-use$/.test(path) ? undefined : visitor.get(path);
      };
      let page = await open();
      for (const { button } of page?.forms ?? []) {
        if (button === 'Sign out' || page === undefined) continue;
        const fields = [...page.formWith(button).values.keys(), ...Object.keys(ENOUGH[button] ?? {})];
        for (const [index, field] of [...new Set(fields)].entries()) {
          for (const extreme of extremesFor(index)) {
            for (const base of [{}, ENOUGH[button]]) {
              if (base === undefined || page === undefined) continue;
              const form = page.formWith(button);
              const values = new URLSearchParams(form.values);
              const set = { ...base, ...TOGETHER[field], [field]: extreme };
              for (const [name, value] of Object.entries(set)) values.set(name, value);
              const path = form.action || page.path;
              const response =
                form.method === 'get'
                  ? await visitor.ask(`${path.replace(/\?.*/, '')}?${values}`)
                  : await visitor.ask(path, { method: 'POST', body: `${values}`, headers: headers() });
              sent.add(`${button} ${field}`);
              if (response.status >= 500) failed.push([response.status, path, field, extreme.slice(0, 50)]);
              const isDone =
                form.method === 'post' && (response.status === 303 || response.text.includes('data-token'));
              if (isDone) page = await open();
            }
          }
        }
      }
    }
    expect(failed).toEqual([]);
    expect([...sent]).toEqual(
      expect.arrayContaining([
        'Create token date',
        'Rename name',
        'Set expiry end',
        'Revoke token reason',
        'Rotate token grace',
        'Change password new',
      ]),
    );
  });

  test.each(Object.entries(PARAMETERS))('no query of %s fails on our side', async (path, parameters) => {
    const visiting = path === '/sign-in' ? createVisitor(served.url) : visitor;
    const failed: unknown[] = [];
    for (const [index, parameter] of parameters.entries()) {
      for (const extreme of extremesFor(index)) {
        const { status } = await visiting.ask(`${path}?${new URLSearchParams({ [parameter]: extreme })}`);
        if (status >= 500) failed.push([status, parameter, extreme.slice(0, 50)]);
      }
    }
    expect(failed).toEqual([]);
  });

  test('no id in a path, of a page or of the API, fails on our side', async () => {
    const failed: unknown[] = [];
    for (const extreme of EXTREMES) {
      const text = encodeURIComponent(extreme);
      const pages = pagesAbout(text).filter((path) => path.includes(text));
      for (const path of [...pages, `/api/v1/orgs/${text}`]) {
        const { status } = await visitor.ask(path);
        const api = await call(served.url, path, { token: served.demo.token });
        if (Math.max(status, api.status) >= 500) failed.push([status, api.status, path.slice(0, 80)]);
      }
    }
    expect(failed).toEqual([]);
  });
});
