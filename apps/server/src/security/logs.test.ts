import { recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { type Call, call, FORM, ME, SIGN_IN_PATH } from '../../testing/client.ts';
import { issue } from '../../testing/issue.ts';
import type { DemoServer } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const REQUESTS = sized({ short: 600, full: 10_000 });
/** In every password here, right or wrong. */
const MARK = 'h0rse-b4ttery';
const INJECTION = '\r\n{"level":"fatal","msg":"sign-in","outcome":"accepted"}\r\n';

interface Planned {
  readonly path: string;
  readonly call: Call;
  /** Whether it is an attempt to sign in, and so has an outcome. */
  readonly isAttempt?: boolean;
}

/** Requests with tokens and passwords in every possible place, by mistake or not. */
function plans(
  { demo }: DemoServer,
  token: string,
  narrow: string,
): readonly ((serial: number) => Planned)[] {
  const own = `/api/v1/orgs/${demo.organizations[0]?.id}`;
  const post = (body: string, type = 'application/json', isAttempt = true): Planned => ({
    path: SIGN_IN_PATH,
    isAttempt,
    call: { method: 'POST', body, headers: { 'content-type': type, authorization: `Bearer ${token}` } },
  });
  const json = (fields: object) => post(JSON.stringify(fields));
  const password = (serial: number) => `${MARK}-${serial}`;
  const asked = (path: string, more: Call = {}): Planned => ({ path, call: more });
  return [
    () => asked(ME, { token }),
    () => asked(own, { token }),
    () => asked(own),
    () => asked(`/api/v1/orgs/${demo.other_account.organization_id}`, { token }),
    () => asked(ME, { token: narrow }),
    (serial) => asked(ME, { token: `${token.slice(0, -8)}${String(serial).padStart(8, 'A')}` }),
    (serial) => asked(own, { token: `${token}${password(serial)}` }),
    (serial) => asked(`/api/v1/orgs/${token}?password=${password(serial)}`, { token }),
    (serial) => asked(`/${token}/%0d%0a${password(serial)}`),
    () => asked(`${ME}?access_token=${token}`, { token }),
    (serial) =>
      asked(ME, {
        token,
        headers: {
          cookie: `token=${token}`,
          'user-agent': password(serial),
          referer: `http://x/?${token}`,
          'x-request-id': token,
        },
      }),
    () => asked(ME, { headers: { authorization: `Basic ${Buffer.from(`ada:${MARK}`).toString('base64')}` } }),
    () => asked(ME, { headers: { authorization: `Bearer ${token}, Bearer ${token}` } }),
    (serial) => json({ email: demo.admin.email, password: password(serial) }),
    (serial) => json({ email: `user-${serial}@acme.example`, password: password(serial) }),
    (serial) => json({ email: password(serial), password: 'ada@acme.example' }),
    // Passwords that look like addresses.
    (serial) => json({ email: `${password(serial)}@home`, password: 'x' }),
    (serial) => json({ email: `p@${password(serial)}!`, password: password(serial) }),
    (serial) => post(`email=${password(serial)}%40work.example&password=x`, FORM),
    (serial) => json({ email: `ada@acme.example${INJECTION}`, password: password(serial) }),
    (serial) => json({ email: `${token}${INJECTION}`, password: `${password(serial)}${INJECTION}` }),
    (serial) => post(`email=${encodeURIComponent(`a@b${INJECTION}`)}&password=${password(serial)}`, FORM),
    (serial) => post(`{"email":"${password(serial)}"`, 'application/json', false),
    (serial) => post(`{"password":"${password(serial)}","token":"${token}"}`, 'application/json', false),
    (serial) => post(`${password(serial)}${token}`, 'text/plain', false),
    (serial) => post(password(serial).repeat(2_000), 'application/json', false),
    () => json({ email: demo.admin.email, password: demo.admin.password }),
  ];
}

describe('the logs', () => {
  test(`hold no token and no password, break no line, and have every outcome: ${REQUESTS} requests`, {
    timeout: 60_000 + REQUESTS * 40,
  }, async () => {
    const generous = { SIGN_IN_ADDRESS_ATTEMPTS: '100000', SIGN_IN_ACCOUNT_FAILURES: '20' };
    await using server = await startTestServer({
      database: 'postgres',
      settings: { ...generous, ACCESS_LOG: 'on', LOG_LEVEL: 'trace' },
    });
    const tokens = [(await issue(server)).secret, (await issue(server, { format: 'jwt' })).secret];
    const narrow = (await issue(server, { scopes: ['orgs:read'] })).secret;
    const planned = tokens.flatMap((token) => plans(server, token, narrow));

    const answered: { readonly plan: Planned; readonly id: string; readonly status: number }[] = [];
    let serial = 0;
    async function work() {
      for (let turn = serial++; turn < REQUESTS; turn = serial++) {
        const plan = planned[turn % planned.length]?.(turn) ?? expect.fail();
        const headers = { 'x-request-id': `r-${turn}`, ...plan.call.headers };
        const reply = await call(server.url, plan.path, { ...plan.call, headers });
        answered.push({ plan, id: reply.headers.get('x-request-id') ?? '', status: reply.status });
        const { token } = (reply.json ?? {}) as { readonly token?: unknown };
        if (reply.status === 200 && typeof token === 'string') tokens.push(token);
      }
    }
    await Promise.all(Array.from({ length: 8 }, work));
    // Failures are logged as well, without their data.
    await server.database.drop();
    const away = async () => (await call(server.url, ME, { token: tokens[0] ?? '' })).status;
    await expect.poll(away, { timeout: 5000 }).toBe(503);
    const fields = { email: server.demo.admin.email, password: server.demo.admin.password };
    const headers = { 'content-type': 'application/json' };
    await call(server.url, SIGN_IN_PATH, { method: 'POST', body: JSON.stringify(fields), headers });

    const written = server.lines.join('');
    const secrets = [
      MARK,
      server.demo.admin.password,
      server.database.masterKey,
      'v4.public.',
      'eyJ',
      '$argon2',
    ];
    // A token is no secret in any of its parts but together; the part that makes it one is its end.
    for (const token of tokens)
      secrets.push(token.slice(0, 40), ...(token.match(/[\w-]{40}(?=[^\w-]|$)/g) ?? []));
    // The key's id, in every footer and header, is public.
    for (const secret of new Set(secrets)) expect(written).not.toContain(secret);
    for (const line of server.lines) {
      expect(line.slice(0, -1)).not.toMatch(/[\r\n\u2028\u2029]/);
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
    }

    const entries = server.entries();
    expect(entries.filter(({ level }) => level === 'fatal')).toEqual([]);
    const outcomesOf = (kind: string, member: string) =>
      new Map(
        entries.filter((entry) => entry.kind === kind).map((entry) => [entry.request_id, entry[member]]),
      );
    const [requests, signIns, refusals] = [
      outcomesOf('request', 'status'),
      outcomesOf('sign_in', 'outcome'),
      outcomesOf('refused', 'reason'),
    ];
    expect(answered).toHaveLength(REQUESTS);
    const OUTCOMES = new Map([
      [200, 'accepted'],
      [401, 'credentials_not_accepted'],
      [429, 'too_many_attempts'],
      [503, 'hashing_busy'],
    ]);
    let refused = 0;
    for (const { plan, id, status } of answered) {
      const { path, isAttempt } = plan;
      expect(requests.get(id), `${id} ${path}`).toBe(status);
      expect(signIns.get(id)).toBe(isAttempt ? OUTCOMES.get(status) : undefined);
      const isBearer = plan.call.token !== undefined && path.startsWith('/api/v1/');
      const isRefused = isBearer && [401, 403, 404].includes(status);
      // Refusals of one network without the id of a token may be counted.
      if (!isRefused || status !== 401) expect(refusals.has(id), `${id} ${path}`).toBe(isRefused);
      if (isRefused) refused += 1;
    }
    const refusalsInLog = () =>
      server
        .entries()
        .filter(({ kind }) => kind === 'refused')
        .reduce((sum, { repeated = 1 }) => sum + Number(repeated), 0);
    await expect.poll(refusalsInLog, { timeout: 5000 }).toBe(refused);
    const seen = new Set([...signIns.values(), ...refusals.values()]);
    for (const outcome of [
      'accepted',
      'credentials_not_accepted',
      'too_many_attempts',
      'bad_signature',
      'not_found',
      'insufficient_scope',
    ]) {
      expect([...seen]).toContain(outcome);
    }
    recordFigures('Q39', [
      { name: 'requests', measured: String(REQUESTS) },
      { name: 'lines', measured: String(server.lines.length) },
      { name: 'tokens and passwords in them', measured: '0', bar: '0', holds: true },
      { name: 'sign-ins and refusals without a line', measured: '0', bar: '0', holds: true },
    ]);
  });
});
