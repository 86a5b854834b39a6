import type { Principal } from '@gatehouse/domain/access';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { SigningKey } from '@gatehouse/domain/signing-keys';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { Email, Role } from '@gatehouse/domain/users';
import { CATALOG, EXTENSIONS } from '@gatehouse/extensions';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { openDatabase } from '@gatehouse/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { authenticateOn } from '../testing/authenticate.ts';
import { courseOf, killedOnItsWay, openWatch, type Watch } from '../testing/kills.ts';
import type { Outcome } from '../testing/memory-cli.ts';
import { type ProcessEnvironment, runCli } from '../testing/process.ts';
import { createRandom } from '../testing/random.ts';
import { composeUseCases } from './container.ts';
import { unwrap } from './errors/refusals.ts';
import { prepare } from './prepare.ts';
import type { CommandUseCases } from './use-cases.ts';

/** Number of kills of each command. */
const KILLS = sized({ short: 4, full: 34 });
/** Set `KILL_SEED` to repeat the same points. */
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
const SABOTAGE = new URL('../testing/two-transactions.ts', import.meta.url);

const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;

let settings: ProcessEnvironment;
let gatehouse: CommandUseCases;
let watch: Watch;
let asAda: Principal;
let accountId: AccountId;
const ending = new AsyncDisposableStack();
const random = createRandom(SEED);

beforeAll(async () => {
  const database = ending.use(await aDatabase({ isMigrated: true }));
  settings = { ...database.settings, GATEHOUSE_AS: 'ada@acme.example', MAX_STALENESS_MS: '500' };
  const opened = openDatabase({ url: database.url, poolSize: 2 });
  ending.defer(() => opened.close());
  gatehouse = composeUseCases(
    { database: opened, listenAddress: { url: database.url, file: undefined } },
    {
      catalog: CATALOG,
      extensions: EXTENSIONS,
      prepared: await prepare(settings, { signs: true }),
      environment: settings,
      warn: () => {},
    },
  );
  watch = await openWatch(database.url);
  ending.defer(() => watch.close());
  accountId = unwrap(await gatehouse.createAccount(OPERATOR, { name: 'Acme' })).id;
  await aUser('ada@acme.example');
  asAda = unwrap(await gatehouse.actAs('ada@acme.example', OPERATOR));
  unwrap(await gatehouse.ensureKeys(OPERATOR));
});
afterAll(() => ending.disposeAsync());

let serial = 0;
function aName(what: string): string {
  serial += 1;
  return `${what} ${serial}`;
}

async function aUser(email: string, role: Role = 'admin') {
  const input = { accountId, email: email as Email, name: 'A user', role, password: 'a heavy press, twice' };
  return unwrap(await gatehouse.createUser(OPERATOR, input));
}

async function aToken(of: Principal = asAda) {
  const input = { name: aName('token'), format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  return unwrap(await gatehouse.issueToken(of, input)).record;
}

async function tokensCalled(name: string) {
  const reports = await all(unwrap(await gatehouse.listTokens(OPERATOR, {})));
  return reports.filter((token) => token.name === name);
}

const staged: SigningKey[] = [];

/** Creates a key and waits until it can be activated. */
async function aRipeKey(): Promise<SigningKey> {
  if (staged.length === 0) {
    for (let made = 0; made <= KILLS; made += 1) {
      staged.push(unwrap(await gatehouse.createKey(OPERATOR, 'jwt')));
    }
    // Twice the maximum staleness, after which every server knows it.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
  }
  return staged.shift() ?? expect.fail();
}

async function isRevoked(id: TokenId): Promise<boolean> {
  return unwrap(await gatehouse.showToken(OPERATOR, id)).revocation !== null;
}

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** A command on its own data, and what must hold afterwards. */
interface Attempt {
  readonly args: readonly string[];
  /** Whether the command was done completely; fails if it was done in part. */
  isDone(): Promise<boolean>;
  /** Expects that everything printed before the kill is true. */
  keptWord?(outcome: Outcome): Promise<void>;
  /** The exit status of repeating the command. Default: 0. */
  retried?(wasDone: boolean, again: Outcome): Promise<void>;
}

const COMMANDS: Readonly<Record<string, () => Promise<Attempt>>> = {
  async 'token create'() {
    const name = aName('created');
    return {
      args: ['token', 'create', '--name', name],
      isDone: async () => (await tokensCalled(name)).length === 1,
      async keptWord({ stdout }) {
        if (!stdout.endsWith('\n')) return;
        const caller = await authenticateOn({ url: settings.DATABASE_URL ?? '' }, stdout.trim());
        expect(caller.kind, 'a token that was printed').toBe('user');
      },
      // A token that was created but not printed is lost; there is never a second one with the name.
      async retried(wasDone, again) {
        expect(again.status, again.stderr).toBe(wasDone ? 5 : 0);
      },
    };
  },

  async 'token revoke'() {
    const ids = [await aToken(), await aToken(), await aToken()].map(({ id }) => id);
    return {
      args: ['token', 'revoke', ...ids, '--yes'],
      isDone: async () => (await Promise.all(ids.map(isRevoked))).every(Boolean),
      async keptWord({ stderr }) {
        for (const id of ids) if (stderr.includes(`(${id}).`)) expect(await isRevoked(id)).toBe(true);
      },
    };
  },

  async 'token rotate'() {
    const { id, name } = await aToken();
    const successors = async () =>
      (await tokensCalled(name)).filter(
        // A successor that was not printed is revoked before the rotation is repeated.
        ({ replaces, revocation }) => replaces?.tokenId === id && revocation === null,
      );
    return {
      args: ['token', 'rotate', id, '--now', '--yes'],
      async isDone() {
        expect((await successors()).length).toBeLessThanOrEqual(1);
        return isRevoked(id);
      },
      async keptWord({ stdout }) {
        if (stdout.endsWith('\n')) expect(await successors()).toHaveLength(1);
        else expect(await isRevoked(id), 'the old token, while the new one was not printed').toBe(false);
      },
      async retried(wasDone, again) {
        const [successor] = await successors();
        if (again.status === 0) return;
        // Its successor was not printed: once that is revoked, the rotation succeeds.
        expect(again, again.stderr).toMatchObject({ status: 5, stdout: '' });
        if (wasDone) return;
        expect(again.stderr).toContain(successor?.id);
        await runCli(settings, ['token', 'revoke', successor?.id ?? '', '--yes']);
        expect(await runCli(settings, ['token', 'rotate', id, '--now', '--yes'])).toMatchObject({
          status: 0,
        });
      },
    };
  },

  async 'user disable'() {
    const bo = await aUser(`bo-${aName('').trim()}@acme.example`);
    const asBo = unwrap(await gatehouse.actAs(bo.email, OPERATOR));
    const ids = [await aToken(asBo), await aToken(asBo), await aToken(asBo)].map(({ id }) => id);
    return {
      args: ['user', 'disable', bo.email, '--transfer-tokens', 'ada@acme.example', '--yes'],
      async isDone() {
        const reports = await Promise.all(ids.map((id) => gatehouse.showToken(OPERATOR, id)));
        const owners = new Set(reports.map((report) => unwrap(report).userId));
        expect(owners.size, 'all or none are transferred').toBe(1);
        const [owner] = reports.map((report) => unwrap(report).user);
        const isDisabled = !(await gatehouse.actAs(bo.email, OPERATOR)).ok;
        expect(isDisabled).toBe(owner?.email !== bo.email);
        return isDisabled;
      },
    };
  },

  async 'account suspend'() {
    const { id } = unwrap(await gatehouse.createAccount(OPERATOR, { name: aName('customer') }));
    return {
      args: ['account', 'suspend', String(id), '--yes'],
      async isDone() {
        const accounts = unwrap(await gatehouse.listAccounts(OPERATOR));
        return (await all(accounts)).some((account) => account.id === id && account.suspendedAt !== null);
      },
    };
  },

  async 'key activate'() {
    const key = await aRipeKey();
    return {
      args: ['key', 'activate', key.id],
      async isDone() {
        const keys = unwrap(await gatehouse.listKeys(OPERATOR)).filter(({ key }) => key.format === 'jwt');
        expect(keys.filter(({ key }) => key.state === 'active')).toHaveLength(1);
        return keys.some((each) => each.key.id === key.id && each.key.state === 'active');
      },
      async retried(wasDone, again) {
        expect(again.status, again.stderr).toBe(wasDone ? 5 : 0);
      },
    };
  },
};

const ended = { killed: 0, before: 0, after: 0, done: 0, wrong: Object.keys(COMMANDS).length };

test.each(Object.entries(COMMANDS))(
  'killed at any point, %s is done completely or not at all, agrees with the audit log and its output, and can be repeated',
  async (command, begin) => {
    const whole = await begin();
    const { outcome, course } = await courseOf(watch, settings, whole.args);
    expect(outcome, outcome.stderr).toMatchObject({ status: 0 });
    expect(await whole.isDone()).toBe(true);

    for (let kill = 0; kill < KILLS; kill += 1) {
      const at = { course, part: random(), fromConnection: kill % 2 === 1 };
      const where = `seed ${SEED}, ${command}, kill ${kill} at ${at.part.toFixed(3)}`;
      const attempt = await begin();
      const killed = await killedOnItsWay(watch, settings, attempt.args, at);
      const wasDone = await attempt.isDone();
      expect(await watch.disagreements(), where).toEqual([]);
      if (killed.status === 0) expect(wasDone, where).toBe(true);
      else expect(killed.status, where).toBe(137);
      await attempt.keptWord?.(killed);
      ended.killed += 1;
      ended[killed.status === 0 ? 'done' : wasDone ? 'after' : 'before'] += 1;

      const again = await runCli(settings, attempt.args);
      if (attempt.retried) await attempt.retried(wasDone, again);
      else expect(again.status, `${where}: ${again.stderr}`).toBe(0);
      expect(await attempt.isDone(), where).toBe(true);
      expect(await watch.disagreements(), where).toEqual([]);
    }
    ended.wrong -= 1;
  },
  KILLS * 20_000 + 60_000,
);

test('the check detects a record and its event in two transactions', async () => {
  const torn = { ...settings, NODE_OPTIONS: `--import=${SABOTAGE.href}` };
  const begin = COMMANDS['account suspend'] ?? expect.fail();
  const { course } = await courseOf(watch, torn, (await begin()).args);
  let found: readonly unknown[] = [];
  for (let kill = 0; kill < 40 && found.length === 0; kill += 1) {
    const { args } = await begin();
    await killedOnItsWay(watch, torn, args, { course, part: random(), fromConnection: true });
    found = await watch.disagreements();
  }
  expect(found).toMatchObject([{ action: 'account.suspended', happened: 1 }]);
}, 120_000);

test('commands were killed before, during and after their changes', () => {
  const { killed, before, after, done, wrong } = ended;
  recordFigures('R7', [
    { name: 'kills', measured: String(killed) },
    {
      name: 'killed before the change, after it, after the command',
      measured: `${before}, ${after}, ${done}`,
    },
    {
      name: 'commands done in part, reported wrongly, lost, or unsafe to repeat',
      measured: `${wrong} of ${Object.keys(COMMANDS).length}`,
      bar: '0',
      holds: wrong === 0,
    },
  ]);
  expect(killed).toBe(KILLS * Object.keys(COMMANDS).length);
  expect(before).toBeGreaterThan(0);
});
