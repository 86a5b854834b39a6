import { Writable } from 'node:stream';
import type { AccountId } from '@gatehouse/domain/accounts';
import { givenToken, givenUser } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { MemoryCli } from './memory-cli.ts';
import type { Transcript } from './transcript.ts';

export interface Session extends Transcript {
  readonly cli: MemoryCli;
}

export const [SECOND, DAY] = [1000, 86_400_000];
export const PASSWORD = 'a heavy press, twice';
export const NO_TOKEN = '019a0000-0000-7000-8000-000000000000';
/** The ids of tokens that commands create are consecutive. */
export const id = (count: number) => `01999999-0000-7000-8000-${String(count).padStart(12, '0')}`;

export async function createUser(session: Session, email: string, options: string): Promise<void> {
  const account = email.endsWith('@bolt.example') ? 2 : 1;
  const user = `--account ${account} --email ${email} --name "Name of ${email}"`;
  await session.run(`user create ${user} ${options} --password-stdin`, `${PASSWORD}\n`);
}

/** Creates two accounts with two admins and a member each. */
export async function createPeople(session: Session): Promise<void> {
  await session.run('account create --name "Acme Works" --json');
  await session.run('account create --name "Bolt & Söhne"');
  for (const account of ['acme', 'bolt']) {
    await createUser(session, `ada@${account}.example`, '--role admin --json');
    await createUser(session, `bo@${account}.example`, '--role admin');
    await createUser(session, `cy@${account}.example`, '--role member --json');
  }
}

/** Uses the token, or has it refused, and stores that. */
export async function use(
  { cli: { store, clock } }: Session,
  count: number,
  refusal?: 'expired',
): Promise<void> {
  const token = id(count) as TokenId;
  if (refusal) store.usage.refused(token, clock.now(), refusal);
  else store.usage.used(token, clock.now());
  await store.usage.flush();
}

/** Creates tokens of both formats and kinds in all states. Those that commands create have the numbers 1 to 10. */
export async function createTokens(session: Session): Promise<void> {
  const { run, cli } = session;
  const { clock, store } = cli;
  await createPeople(session);
  const create = (name: string, options: string) => run(`token create --name ${name} ${options}`);
  await create('ERP', '--as ada@acme.example');
  await create('Scale', '--as ada@acme.example --scope orgs:read --scope me:read --expires-in 30d --json');
  await create('Wiki', '--as ada@acme.example --format jwt --expires-at 2027-01-31T00:00:00Z --json');
  await create('Expired', '--as ada@acme.example --expires-in 1d');
  await create('"Label printer"', '--as bo@acme.example --json');
  await create('Press', '--as ada@bolt.example');
  clock.advance(SECOND);
  await create('Replaced', '--as ada@acme.example');
  await run(`token rotate ${id(7)} --as ada@acme.example --grace 60d`);
  await create('Replacing', '--as ada@acme.example --expires-in 50d');
  await run(`token rotate ${id(9)} --as ada@acme.example`);

  const dora = await givenUser(store, 1 as AccountId, { email: 'dora@acme.example' });
  const signIn = { kind: 'sign-in', name: 'Sign-in', createdAt: clock.now() } as const;
  for (const [count, days] of [1, 40, 400].entries()) {
    const expiresAt = addMilliseconds(clock.now(), days * DAY);
    await givenToken(store, dora, { ...signIn, id: id(101 + count) as TokenId, expiresAt });
  }

  clock.advance(DAY);
  await use(session, 1);
  await use(session, 2);
  await use(session, 8);
  await use(session, 4, 'expired');
  clock.advance(DAY);
  await run('user disable bo@acme.example --reason left --yes');
  await run('account suspend 2 --yes');
  await create('ERP', '--as ada@acme.example --json');
  await create('Nothing', '--as cy@acme.example --json');
  await create('Nothing', '--as nobody@acme.example --json');
  await create('Nothing', '--json');
  await create('Nothing', '--as ada@acme.example --scope everything --json');
  await create('Nothing', '--as ada@acme.example --expires-in 1d --expires-at 2027-01-31T00:00:00Z --json');
  await run('key list --jsonl');
}

/** Watches two tokens being used and refused, until this many lines are printed. */
export async function watch(
  { cli: { store, clock, run } }: Session,
  words: readonly string[],
  lines: number,
) {
  const { listen } = store.usageFeed;
  const listening = Promise.withResolvers<void>();
  Object.assign(store.usageFeed, {
    listen: async () => {
      const subscription = await listen();
      listening.resolve();
      return subscription;
    },
  });
  const interrupt = new AbortController();
  const printed = Promise.withResolvers<void>();
  let output = '';
  const stdout = new Writable({
    write(chunk, _, done) {
      output += chunk;
      if (output.split('\n').length > lines) printed.resolve();
      done();
    },
  });
  const ended = run(words, { stdout, signal: interrupt.signal });
  await listening.promise;
  for (const count of [1, 2]) {
    store.usage.used(id(count) as TokenId, clock.now());
    store.usage.refused(id(count) as TokenId, clock.now(), 'expired');
  }
  await store.usage.flush();
  await printed.promise;
  interrupt.abort();
  return { ...(await ended), stdout: output };
}

export async function listEverything(
  { run }: Session,
  what: 'account' | 'user' | 'org' | 'key',
): Promise<void> {
  await run(`${what} list`);
  await run(`${what} list --json`);
  await run(`${what} list --jsonl`);
}
