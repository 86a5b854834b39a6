import type { Repositories } from '@gatehouse/domain';
import {
  aTokenId,
  givenAccount,
  givenToken as givenStoredToken,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { TOKEN_FORMATS, type TokenFormat, type TokenId, type TokenSigner } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { createSystemClock } from '@gatehouse/installation';
import * as postgres from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import type { Outcome } from '../testing/memory-cli.ts';
import type { ProcessEnvironment } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { CTRL_C, ENTER, openTerminal } from '../testing/terminal.ts';

const SIGNERS: Readonly<Record<TokenFormat, TokenSigner>> = {
  paseto: createPasetoTokenSigner(),
  jwt: createJwtTokenSigner(),
};
const PROMPT = 'Token (not shown):';

let settings: ProcessEnvironment;
let database: postgres.Database;
let close: () => Promise<void>;
let store: Repositories;

beforeAll(async () => {
  const created = await aDatabase({ isMigrated: true });
  settings = created.settings;
  database = postgres.openDatabase({ url: created.url, poolSize: 2 });
  store = postgres.createPostgresRepositories(database);
  close = async () => {
    await database.close();
    await created.drop();
  };
});
afterAll(() => close());

interface Given {
  readonly admin: User;
  readonly id: TokenId;
  readonly secret: string;
}

/** Creates a token with a new account and admin. */
async function givenToken(format: TokenFormat, ...more: readonly string[]): Promise<Given> {
  const { id: accountId } = await givenAccount(store);
  const admin = await givenUser(store, accountId);
  const args = ['--as', admin.email, '--name', 'ERP', '--format', format, '--json', ...more];
  const { stdout } = await runHere(settings, ['token', 'create', ...args]);
  const { id, token: secret } = JSON.parse(stdout);
  return { admin, id, secret };
}

async function inspect(stdin: string, more: ProcessEnvironment = {}) {
  const inspected = await runHere({ ...settings, ...more }, ['token', 'inspect', '--json'], { stdin });
  expectNothingOf(stdin, inspected);
  const { reason, stopped_at } = JSON.parse(inspected.stdout);
  return [inspected.status, reason, stopped_at];
}

function expectNothingOf(secret: string, { stdout, stderr }: Pick<Outcome, 'stdout' | 'stderr'>): void {
  for (let from = 0; from + 20 <= secret.length; from += 1) {
    expect(stdout + stderr).not.toContain(secret.slice(from, from + 20));
  }
}

/** Flips one bit of this byte of the token's base64url. */
function withFlippedBit(token: string, at: number): string {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const flipped = ALPHABET[ALPHABET.indexOf(token[at] ?? '') ^ 32];
  return token.slice(0, at) + flipped + token.slice(at + 1);
}

describe.each(TOKEN_FORMATS)('a %s token in hand', (format) => {
  test('is accepted, or damaged', async () => {
    const { secret } = await givenToken(format);
    expect(await inspect(secret)).toEqual([0, null, null]);
    expect(await inspect(secret.slice(0, -1))).toEqual([6, expect.any(String), expect.any(String)]);
    expect(await inspect(secret.slice(0, 40))).toEqual([6, 'malformed', 'spelling']);
    const inTheMiddle = Math.floor(secret.length / 2);
    expect(await inspect(withFlippedBit(secret, inTheMiddle))).toEqual([6, 'bad_signature', 'signature']);
  });

  test('has an unknown key', async () => {
    const { admin } = await givenToken(format);
    const claims = {
      issuer: 'gatehouse',
      audience: 'gatehouse-api',
      subject: admin.id,
      tokenId: aTokenId(),
      issuedAt: START,
      expiresAt: null,
      kind: 'api',
    } as const;
    const other = await SIGNERS[format].generateKey();
    const forged = await SIGNERS[format].sign(claims, other);
    expect(await inspect(forged)).toEqual([6, 'unknown_key', 'key_known']);
  });

  test('was issued with other settings', async () => {
    const { secret } = await givenToken(format);
    expect(await inspect(secret, { TOKEN_ISSUER: 'elsewhere' })).toEqual([6, 'claims_mismatch', 'claims']);
    expect(await inspect(secret, { TOKEN_AUDIENCE: 'another' })).toEqual([6, 'claims_mismatch', 'claims']);
  });

  test('is revoked by itself, and then refused', async () => {
    const { admin, secret } = await givenToken(format);
    const args = ['token', 'revoke', '--stdin', '--as', admin.email, '--yes', '--reason', 'leaked'];
    const revoked = await runHere(settings, args, { stdin: `${secret}\n` });
    expect(revoked).toMatchObject({ status: 0, stdout: '' });
    expectNothingOf(secret, revoked);
    expect(await inspect(secret)).toEqual([6, 'revoked', 'not_revoked']);
    const none = await runHere(settings, args, { stdin: withFlippedBit(secret, secret.length - 10) });
    expect(none).toMatchObject({ status: 3, stdout: '' });
    expectNothingOf(secret, none);
  });
});

describe('at a terminal', () => {
  test('a token is asked for without echo', async () => {
    const { secret } = await givenToken('paseto');
    const terminal = openTerminal(settings, ['token', 'inspect']);
    await terminal.answer(PROMPT, ENTER);
    await terminal.answer('Paste the token', `Bearer ${secret}${ENTER}`);
    await terminal.shows('The token would be accepted.');
    expect(await terminal.ended).toBe(0);
    expectNothingOf(secret, { stdout: terminal.shown(), stderr: '' });
  });

  test('Ctrl-C at the prompt ends it with 130', async () => {
    const terminal = openTerminal(settings, ['token', 'inspect']);
    await terminal.answer(PROMPT, CTRL_C);
    expect(await terminal.ended).toBe(130);
  });

  test('a token to revoke is asked for, and then confirmed', async () => {
    const { admin, secret } = await givenToken('jwt');
    const terminal = openTerminal(settings, ['token', 'revoke', '--stdin', '--as', admin.email]);
    await terminal.answer(PROMPT, `${secret}${ENTER}`);
    await terminal.shows('"ERP" of');
    await terminal.answer('Revoke it?', `y${ENTER}`);
    await terminal.shows('Revoked token');
    expect(await terminal.ended).toBe(0);
    expectNothingOf(secret, { stdout: terminal.shown(), stderr: '' });
    expect(await inspect(secret)).toEqual([6, 'revoked', 'not_revoked']);
  });

  test('before several are revoked, it prints what breaks for each, and asks once', async () => {
    const { admin, id, secret } = await givenToken('jwt');
    const args = ['token', 'create', '--as', admin.email, '--name', 'Wiki', '--json'];
    const wiki = JSON.parse((await runHere(settings, args)).stdout);
    const terminal = openTerminal(settings, ['token', 'revoke', id, wiki.id, '--as', admin.email]);
    await terminal.shows('"ERP" of');
    await terminal.shows('"Wiki" of');
    await terminal.answer('Revoke all of them?', `n${ENTER}`);
    expect(await terminal.ended).toBe(130);
    expect(await inspect(secret)).toEqual([0, null, null]);
  });

  test('before records are deleted, it prints their number and asks', async () => {
    const { admin } = await givenToken('jwt');
    const expiresAt = addMilliseconds(createSystemClock().now(), -100 * 86_400_000);
    for (let count = 0; count < 150; count += 1) {
      await givenStoredToken(store, admin, { kind: 'sign-in', expiresAt });
    }
    const prune = ['token', 'prune', '--older-than', '90d'];
    const first = openTerminal(settings, prune);
    await first.shows('150 sign-in tokens ended before');
    await first.answer('Delete these records?', ENTER);
    expect(await first.ended).toBe(130);
    const second = openTerminal(settings, prune);
    await second.answer('Delete these records?', `y${ENTER}`);
    await second.shows('Deleted the records of 150 sign-in tokens.');
    expect(await second.ended).toBe(0);
    const left = await runHere(settings, [...prune, '--dry-run', '--json']);
    expect(JSON.parse(left.stdout)).toMatchObject({ count: 0 });
  });
});
