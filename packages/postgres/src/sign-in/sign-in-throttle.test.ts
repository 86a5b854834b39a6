import { DEFAULT_SIGN_IN_LIMITS } from '@gatehouse/domain/sign-in';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import { type EmailKey, emailKey } from '@gatehouse/domain/users';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';
import { untilSomeoneWaits } from '../../testing/until-someone-waits.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { createPostgresSignInThrottle } from './sign-in-throttle.ts';

const DAY = 86_400_000;

describe('the sign-in throttle', async () => {
  const clock = createFixedClock(START);
  const limits = DEFAULT_SIGN_IN_LIMITS;
  const opened = await openTestDatabase();
  const { queries } = opened.database;
  const otherNode = openDatabase({ url: opened.url, poolSize: 10 });
  afterAll(async () => {
    await otherNode.close();
    await opened.close();
  });
  beforeEach(async () => {
    await sql`truncate sign_in_addresses, sign_in_accounts, sign_in_known_addresses`.execute(queries);
  });

  const throttleOf = (database: Database) => createPostgresSignInThrottle(database, { limits, clock });
  const throttle = throttleOf(opened.database);
  const nodes = [throttle, throttleOf(otherNode)] as const;
  const anEmail = (serial: number): EmailKey => emailKey(`user-${serial}@acme.example`);
  const countOf = async (table: string) => {
    const { rows } = await sql`select from ${sql.table(table)}`.execute(queries);
    return rows.length;
  };
  const counts = () => Promise.all(['sign_in_addresses', 'sign_in_accounts'].map(countOf));
  const attempts = async () => {
    const { rows } = await sql<{ network: string; attempts: number }>`
      select network::text, attempts from sign_in_addresses`.execute(queries);
    return rows;
  };

  test.each([
    { guess: 'an account', email: () => 0, address: (i: number) => `10.0.${i >> 8}.${i & 255}` },
    { guess: 'an address', email: (i: number) => i, address: () => '192.0.2.1' },
  ])('lets 200 guesses at once over two nodes get no further than 100 at $guess', async (guess) => {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        nodes[i % 2 === 0 ? 0 : 1].admit({ email: anEmail(guess.email(i)), address: guess.address(i) }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(100);
  });

  test('counts the spellings of an address, and the addresses of an IPv6 /64, as one', async () => {
    const same = [
      ['192.0.2.9', '::ffff:192.0.2.9', '::FFFF:C000:209'],
      ['2001:db8:0:1::1', '2001:0DB8:0000:0001:0:0:0:2', '2001:db8::1:ffff:ffff:ffff:ffff'],
      ['2001:db8:0:2::1', '2001:db8:0:2:1::'],
    ];
    for (const [serial, address] of same.flat().entries()) {
      expect(await throttle.admit({ email: anEmail(serial), address })).toMatchObject({ ok: true });
    }
    expect(await attempts()).toEqual([
      { network: '192.0.2.9/32', attempts: 3 },
      { network: '2001:db8:0:1::/64', attempts: 3 },
      { network: '2001:db8:0:2::/64', attempts: 2 },
    ]);
  });

  test('gives the address back attempts that an account refused, and no more than it had', async () => {
    const victim = anEmail(1);
    for (let i = 0; i < 100; i += 1) await throttle.admit({ email: victim, address: `10.1.0.${i}` });
    const attacker = { email: victim, address: '192.0.2.1' };
    const refused = await Promise.all(Array.from({ length: 150 }, () => throttle.admit(attacker)));
    expect(refused.every((outcome) => !outcome.ok)).toBe(true);
    expect((await attempts()).find(({ network }) => network === '192.0.2.1/32')?.attempts).toBe(0);
    await throttle.succeeded(attacker);
    expect((await attempts()).find(({ network }) => network === '192.0.2.1/32')?.attempts).toBe(0);
  });

  test('does not count attempts of an exhausted address against the account', async () => {
    const attempt = { email: anEmail(1), address: '192.0.2.1' };
    for (let i = 0; i < 100; i += 1) await throttle.admit({ ...attempt, email: anEmail(1000 + i) });
    for (let i = 0; i < 100; i += 1) expect((await throttle.admit(attempt)).ok).toBe(false);
    for (let i = 0; i < 100; i += 1) {
      expect((await throttle.admit({ ...attempt, address: `10.5.0.${i}` })).ok).toBe(true);
    }
  });

  test('forgets failures after a day, in which one attempt in each pause would have been more', async () => {
    for (let i = 0; i < 100; i += 1) await throttle.admit({ email: anEmail(1), address: `10.2.0.${i}` });
    clock.advance(DAY - 1);
    expect((await throttle.admit({ email: anEmail(1), address: '10.2.1.1' })).ok).toBe(true);
    expect((await throttle.admit({ email: anEmail(1), address: '10.2.1.2' })).ok).toBe(false);
    clock.advance(DAY);
    expect((await throttle.admit({ email: anEmail(1), address: '10.2.1.1' })).ok).toBe(true);
    expect((await throttle.admit({ email: anEmail(1), address: '10.2.1.2' })).ok).toBe(true);
  });

  test('keeps only current rows', async () => {
    const guess = (i: number) =>
      throttle.admit({ email: anEmail(i), address: `10.3.${(i >> 8) & 255}.${i & 255}` });
    await Promise.all(Array.from({ length: 320 }, (_, i) => guess(i)));
    expect(await counts()).toEqual([320, 320]);
    clock.advance(2 * DAY);
    await Promise.all(Array.from({ length: 128 }, (_, i) => guess(1000 + i)));
    expect(await counts()).toEqual([128, 128]);
  });

  test('knows the newest 100 addresses of an account, and forgets an address after 90 days', async () => {
    const known = async () => {
      const { rows } = await sql<{ network: string }>`
        select network::text from sign_in_known_addresses order by known_until`.execute(queries);
      return rows.map(({ network }) => network);
    };
    const email = anEmail(1);
    for (let i = 0; i < 103; i += 1) {
      await throttle.succeeded({ email, address: `10.6.0.${i}` });
      clock.advance(1);
    }
    expect((await known()).length).toBe(100);
    expect((await known())[0]).toBe('10.6.0.3/32');
    await throttle.succeeded({ email: anEmail(2), address: '10.6.0.0' });
    expect((await known()).length).toBe(101);

    clock.advance(90 * DAY);
    const guess = (i: number) => throttle.admit({ email: anEmail(i), address: '192.0.2.1' });
    await Promise.all(Array.from({ length: 64 }, (_, i) => guess(2000 + i)));
    expect(await known()).toEqual([]);
  });

  test('lets a victim at a known address in while two nodes are attacked, and no attacker past 100 attempts', async () => {
    const victim = { email: anEmail(1), address: '2001:db8:0:1::1' };
    await nodes[0].succeeded(victim);
    const guesses = Array.from({ length: 300 }, (_, i) =>
      nodes[i % 2 === 0 ? 0 : 1].admit({ email: victim.email, address: `10.7.${i >> 8}.${i & 255}` }),
    );
    const admitted = (await Promise.all(guesses)).filter((outcome) => outcome.ok);
    expect(admitted).toHaveLength(100);
    expect((await nodes[1].admit({ ...victim, address: '2001:db8:0:1:ffff::2' })).ok).toBe(true);
  });

  /** Runs while another transaction holds rows of a table, as a concurrent attempt does. */
  const whileHeld = <T>(rows: RawBuilder<unknown>, work: () => Promise<T>): Promise<T> =>
    otherNode.queries.transaction().execute(async (tx) => {
      const held = await sql`select from ${rows} for update`.execute(tx);
      expect(held.rows.length).toBeGreaterThan(0);
      // Must not wait for these rows: the transaction ends only after the work.
      return work();
    });
  test.each([
    { table: 'sign_in_addresses', key: 'network', held: sql`network('10.8.0.3'::inet)` },
    { table: 'sign_in_accounts', key: 'email_digest', held: sql`sha256('user-3@acme.example')` },
    { table: 'sign_in_known_addresses', key: 'network', held: sql`network('10.8.0.3'::inet)` },
  ])('deletes outdated rows without waiting for locked rows in $table', async ({ table, key, held }) => {
    for (let i = 0; i < 6; i += 1) {
      const attempt = { email: anEmail(i), address: `10.8.0.${i}` };
      await throttle.succeeded(attempt);
      await throttle.admit(attempt);
    }
    expect(await countOf(table)).toBe(6);
    clock.advance(91 * DAY);
    await whileHeld(sql`${sql.table(table)} where ${sql.ref(key)} = ${held}`, async () => {
      // One in 64 attempts deletes outdated rows.
      for (let i = 0; i < 64; i += 1) {
        const attempt = { email: anEmail(1000), address: `10.9.0.${i}` };
        expect(await throttle.admit(attempt)).toMatchObject({ ok: true });
      }
    });
    // The locked row, and those of the 64 attempts.
    const left = { sign_in_addresses: 1 + 64, sign_in_accounts: 1 + 1, sign_in_known_addresses: 1 };
    expect(await countOf(table)).toBe(left[table as keyof typeof left]);
  });

  test('forgets an account’s oldest address without waiting for its lock', async () => {
    const email = anEmail(1);
    for (let i = 0; i < 100; i += 1) {
      await throttle.succeeded({ email, address: `10.6.0.${i}` });
      clock.advance(1);
    }
    await whileHeld(sql`sign_in_known_addresses where network = network('10.6.0.0'::inet)`, () =>
      throttle.succeeded({ email, address: '10.6.1.0' }),
    );
    expect(await countOf('sign_in_known_addresses')).toBe(101);
    // The next sign-in forgets both addresses.
    await throttle.succeeded({ email, address: '10.6.1.1' });
    expect(await countOf('sign_in_known_addresses')).toBe(100);
  });

  test('stores no email', async () => {
    await throttle.admit({ email: emailKey('hunter2\u0000'), address: '192.0.2.1' });
    const stored = await sql`select sign_in_accounts::text as text from sign_in_accounts`.execute(queries);
    expect(stored.rows).toHaveLength(1);
    expect(JSON.stringify(stored.rows)).not.toContain('hunter2');
  });

  test('waits for an address without holding the account, which avoids deadlocks', async () => {
    const attempt = { email: anEmail(1), address: '192.0.2.1' };
    await throttle.admit(attempt);
    await throttle.succeeded(attempt);
    await throttle.admit(attempt);
    for (const turn of [() => throttle.admit(attempt), () => throttle.succeeded(attempt)]) {
      let waiting: Promise<unknown> | undefined;
      await otherNode.queries.transaction().execute(async (tx) => {
        await sql`select from sign_in_addresses for update`.execute(tx);
        waiting = turn();
        await untilSomeoneWaits(opened.database);
        for (const table of ['sign_in_accounts', 'sign_in_known_addresses']) {
          const free = await sql`select from ${sql.table(table)} for update skip locked`.execute(tx);
          expect(free.rows, table).toHaveLength(1);
        }
      });
      await waiting;
    }
  });
});
