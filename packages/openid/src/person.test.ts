import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { providerAt } from '../testing/real-scene.ts';
import { ExchangeError } from './exchange-error.ts';
import { lacksClaims, readPerson } from './person.ts';

const PROVIDER = providerAt('https://acme.example');
const read = (claims: Readonly<Record<string, unknown>>) => readPerson({ sub: 'Ada', ...claims }, PROVIDER);

describe('A person', () => {
  it.each([
    [true, true],
    ['true', false],
    [1, false],
    [[true], false],
    ['false', false],
    [null, false],
    [undefined, false],
  ])('whose email_verified is %j has a verified email: %s', (email_verified, isEmailVerified) => {
    expect(read({ email: 'ada@acme.example', email_verified })).toMatchObject({ isEmailVerified });
  });

  it.each([
    undefined,
    null,
    7,
    '',
    'ada',
    'ada@acme.example\u0000',
    'a b@acme.example',
    'a@b@c',
    ['ada@acme.example'],
  ])('whose email is %j has none, and so no verified one', (email) => {
    expect(read({ email, email_verified: true })).toMatchObject({ email: null, isEmailVerified: false });
  });

  it.each([
    ['  Ada   Lovelace ', 'Ada Lovelace'],
    ['Ada\u0000', null],
    ['Ame\u0301lie', 'Amélie'],
    ['Ada\nLovelace', 'Ada Lovelace'],
    ['x'.repeat(201), null],
    ['', null],
    [7, null],
    [undefined, null],
  ])('whose name is %j is called %j', (name, called) => {
    expect(read({ name })).toMatchObject({ name: called });
  });

  it.each([
    [
      ['admins', 'all'],
      ['admins', 'all'],
    ],
    ['admins', ['admins']],
    [[], []],
    [undefined, null],
    [Array.from({ length: 2001 }, (_, index) => `${index}`), 'too-many'],
  ])('whose groups are %j has the values %j', (groups, roleValues) => {
    expect(read({ groups })).toMatchObject({ roleValues });
  });

  it('whose groups were left out, as by Entra ID, has too many', () => {
    const claims = {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example/users/7/getMemberObjects' } },
    };
    expect(read(claims)).toMatchObject({ roleValues: 'too-many' });
    expect(read({ ...claims, _claim_names: { other: 'src1' } })).toMatchObject({ roleValues: null });
    expect(lacksClaims({ ...claims, email: 'ada@acme.example' }, PROVIDER)).toBe(false);
  });

  it('has no values of roles if the provider gives none', () => {
    expect(readPerson({ sub: 'Ada', groups: ['admins'] }, { ...PROVIDER, roles: null })).toMatchObject({
      roleValues: null,
    });
  });

  it.each([
    [1_767_225_600, 1_767_225_600_000],
    ['1767225600', null],
    [-1, null],
    [1.5, null],
    [undefined, null],
  ])('whose auth_time is %j authenticated at %j', (auth_time, authenticatedAt) => {
    expect(read({ auth_time })).toMatchObject({ authenticatedAt });
  });
});

test('whatever the claims are, reading them returns a person or fails as a malformed answer', () => {
  const names = ['sub', 'email', 'email_verified', 'name', 'groups', 'sid', 'auth_time', '_claim_names'];
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 250, maxLength: 260 }),
    fc.jsonValue(),
  );
  const claims = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  fc.assert(
    fc.property(claims, (given) => {
      try {
        const person = readPerson(given, PROVIDER);
        expect(person.subject).toMatch(/^[\x20-\x7e]{1,255}$/);
        expect(`${person.name}${person.email}${person.providerSession}`).not.toMatch(/\p{Cc}/u);
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        expect(error.reason).toBe('answer_malformed');
      }
    }),
  );
});
