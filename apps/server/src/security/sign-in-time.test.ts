import { Agent, request } from 'node:http';
import { signIn } from '@gatehouse/domain';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { createArgon2PasswordHasher } from '@gatehouse/password-argon2';
import { describe, expect, test } from 'vitest';
import { execute } from '../../testing/execute.ts';
import { servePostgres } from '../../testing/serve-postgres.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { shuffled } from '../../testing/shuffled.ts';
import { spawnServer } from '../../testing/spawn-server.ts';
import { median, separability } from '../../testing/time-comparison.ts';
import { Demo } from '../container.ts';

const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;
const PASSWORD = 'correct horse battery';
/** A short run shows that it can be measured, and judges nothing. */
const ROUNDS = sized({ short: 40, full: 10_000 });

/** Why a sign-in is refused; all emails are of one length. */
const REASONS = {
  'unknown email': { email: 'nobody--@acme.example', password: PASSWORD },
  'wrong password': { email: 'active--@acme.example', password: 'correct horse staples' },
  'disabled user': { email: 'disabled@acme.example', password: PASSWORD },
  'suspended account': { email: 'suspends@acme.example', password: PASSWORD },
} as const;
type Reason = keyof typeof REASONS;
const ALL = Object.keys(REASONS) as Reason[];

interface Answer {
  readonly milliseconds: number;
  readonly said: string;
}

/** Signs in for each reason in turn, in another order each round, on one connection that stays open. */
async function measure(url: string, reasons: readonly Reason[], rounds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map(reasons.map((reason) => [reason, [] as number[]]));
  const said = new Set<string>();
  for (let round = -2; round < rounds; round += 1) {
    for (const reason of shuffled(reasons)) {
      const answer = await attempt(url, agent, JSON.stringify(REASONS[reason]));
      said.add(answer.said);
      // The first ones pay for starting.
      if (round >= 0) times.get(reason)?.push(answer.milliseconds);
    }
  }
  agent.destroy();
  return { times: (reason: Reason) => times.get(reason) ?? [], said };
}

function attempt(url: string, agent: Agent, body: string): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': 'same',
  };
  return new Promise((resolve, reject) => {
    const since = performance.now();
    const sent = request(`${url}/api/v1/auth.json`, { method: 'POST', agent, headers }, (response) => {
      const milliseconds = performance.now() - since;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => {
        const { date: _, ...answered } = response.headers;
        resolve({ milliseconds, said: JSON.stringify([response.statusCode, answered, text]) });
      });
    });
    sent.once('error', reject).end(body);
  });
}

async function givenThem({ container, demo, testDatabase }: Awaited<ReturnType<typeof servePostgres>>) {
  const { createAccount, createUser } = container.resolve(Demo);
  const suspended = await createAccount(OPERATOR, { name: 'Suspended' });
  if (!suspended.ok) return expect.fail(suspended.error.code);
  for (const [reason, { email }] of Object.entries(REASONS)) {
    if (reason === 'unknown email') continue;
    const accountId = reason === 'suspended account' ? suspended.value.id : (demo.account.id as never);
    const user = { accountId, email, name: 'Zoe', role: 'member', password: PASSWORD } as const;
    expect(await createUser(OPERATOR, user)).toMatchObject({ ok: true });
  }
  const sql = (statement: string) => execute(testDatabase.url, statement);
  await sql(`update users set disabled_at = now() where email = '${REASONS['disabled user'].email}'`);
  await sql(`update accounts set suspended_at = now() where id = ${suspended.value.id}`);
}

describe('the time that a refused sign-in takes', () => {
  test(`tells nothing of why: ${ROUNDS} rounds of every reason, in one process, interleaved`, {
    timeout: 30_000 + ROUNDS * 400,
  }, async () => {
    await using origin = await servePostgres();
    await givenThem(origin);
    await using server = spawnServer({
      DATABASE_URL: origin.testDatabase.url,
      GATEHOUSE_MASTER_KEY: origin.masterKey,
      SIGN_IN_ADDRESS_ATTEMPTS: '1000000',
      SIGN_IN_ACCOUNT_FAILURES: '1000000',
    });
    const { times, said } = await measure(await server.serving(), ALL, ROUNDS);
    expect([...said]).toEqual([expect.stringMatching(/^\[401,/)]);

    const [reference, ...others] = ALL as [Reason, ...Reason[]];
    const base = median(times(reference));
    recordFigures('Q25', [
      { name: 'rounds', measured: String(ROUNDS) },
      { name: `median, ${reference}`, measured: `${base.toFixed(3)} ms` },
      ...others.flatMap((reason) => {
        const off = 100 * (median(times(reason)) / base - 1);
        const area = separability(times(reference), times(reason));
        return [
          {
            name: `median, ${reason}: off by`,
            measured: `${off.toFixed(2)} %`,
            bar: '≤ 1 %',
            holds: Math.abs(off) <= 1,
          },
          { name: `AUC, ${reason}`, measured: area.toFixed(3), bar: '≤ 0.55', holds: area <= 0.55 },
        ];
      }),
    ]);
    for (const reason of ALL) expect(times(reason)).toHaveLength(ROUNDS);
  });

  test('is found out to tell where nothing is hashed for an unknown email', async () => {
    const hasher = createArgon2PasswordHasher({ concurrency: 1, queueLimit: 1 });
    const hashed = await hasher.hash(PASSWORD);
    const passwordHash = hashed.ok ? hashed.value : expect.fail();
    await using served = await serveWorld({
      replace: (world) => ({
        signIn: signIn({
          ...world,
          format: 'paseto',
          lifetimeMs: 60_000,
          throttle: { admit: async () => ({ ok: true, value: undefined }), succeeded: async () => undefined },
          users: {
            ...world.users,
            findCredentials: async (email) =>
              email === REASONS['wrong password'].email
                ? { user: {} as never, account: {} as never, passwordHash }
                : undefined,
          },
          passwords: {
            ...hasher,
            verify: async (password, hash) =>
              hash === undefined ? { ok: true, value: false } : hasher.verify(password, hash),
          },
        }),
      }),
    });
    const { times } = await measure(served.url, ['unknown email', 'wrong password'], 20);
    expect(separability(times('unknown email'), times('wrong password'))).toBeGreaterThan(0.9);
  });
});

describe('how well times are told apart', () => {
  test.each([
    ['the same', [1, 2, 3], [1, 2, 3], 0.5],
    ['all equal', [1, 1], [1, 1, 1], 0.5],
    ['all smaller', [1, 2], [3, 4], 1],
    ['all larger', [3, 4], [1, 2], 1],
    ['mostly smaller', [1, 2], [2, 3], 0.875],
  ])('is judged right where they are %s', (_, one, other, area) => {
    expect(separability(one, other)).toBe(area);
  });

  test('and their median is the middle one', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).toEqual([2, 2.5, 7]);
  });
});
