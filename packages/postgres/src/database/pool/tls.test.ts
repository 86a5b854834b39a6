import { UnavailableFault } from '@gatehouse/domain';
import { createTestDatabase, hasOpenSsl, openTlsProxy, type TlsProxy } from '@gatehouse/test-database';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';

const resources = new AsyncDisposableStack();
let plainUrl: string;
let server: TlsProxy;
let expired: TlsProxy;

/** Connects by this URL; returns the problem if that fails. */
async function connecting(url: string): Promise<'connected' | string> {
  const database = openDatabase({ url, poolSize: 1, connectTimeoutMs: 20_000 });
  try {
    await sql`select 1`.execute(database.queries);
    return 'connected';
  } catch (error) {
    expect(error).toBeInstanceOf(UnavailableFault);
    return (error as UnavailableFault).message;
  } finally {
    await database.close();
  }
}

// Needs openssl to make certificates.
describe.skipIf(!hasOpenSsl)('a database with TLS', () => {
  beforeAll(async () => {
    const database = await createTestDatabase();
    resources.defer(() => database.drop());
    plainUrl = database.url.split('?', 1)[0] as string;
    server = resources.use(await openTlsProxy(database.url));
    expired = resources.use(await openTlsProxy(database.url, { isExpired: true }));
  });
  afterAll(() => resources.disposeAsync());

  test('is connected to with its authority’s certificate', async () => {
    expect(await connecting(`${server.url}?sslmode=verify-full&sslrootcert=${server.ca}`)).toBe('connected');
  });

  test.each(['verify-full', 'verify-ca', 'require', 'prefer'])(
    'is refused in one line if another authority is expected (%s)',
    async (mode) => {
      const url = `${server.url}?sslmode=${mode}&sslrootcert=${server.otherCa}`;
      expect(await connecting(url)).toMatch(/^the database cannot be reached: .*(certificate|verify).*$/);
    },
  );

  test('is refused without an authority, if the system does not know the one that signed it', async () => {
    expect(await connecting(`${server.url}?sslmode=verify-full`)).toMatch(/certificate/);
  });

  test.each(['verify-full', 'verify-ca', 'require'])(
    'is refused under a name that is not in its certificate (%s)',
    async (mode) => {
      const url = server.url.replace('localhost', '127.0.0.1');
      expect(await connecting(`${url}?sslmode=${mode}&sslrootcert=${server.ca}`)).toMatch(
        /^the database cannot be reached: Hostname\/IP does not match certificate's altnames: .*$/,
      );
    },
  );

  test.each(['verify-full', 'verify-ca', 'require'])(
    'is refused once its certificate has expired (%s)',
    async (mode) => {
      const url = `${expired.url}?sslmode=${mode}&sslrootcert=${expired.ca}`;
      expect(await connecting(url)).toBe('the database cannot be reached: certificate has expired');
    },
  );

  test.each(['verify-full', 'verify-ca', 'require', 'no-verify'])(
    'is refused if the server has no TLS (%s)',
    async (mode) => {
      expect(await connecting(`${plainUrl}?sslmode=${mode}`)).toBe(
        'the database cannot be reached: The server does not support SSL connections',
      );
    },
  );

  test('is not verified with no-verify: any certificate is accepted', async () => {
    expect(await connecting(`${server.url}?sslmode=no-verify`)).toBe('connected');
  });
});
