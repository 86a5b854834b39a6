import { describe, expect, it } from 'vitest';
import { signInRequest } from './sign-in.ts';

const parse = (body: unknown) => {
  const parsed = signInRequest.safeParse(body);
  return parsed.success ? parsed.data : parsed.error.issues.map(({ path, message }) => [...path, message]);
};

describe('the body of a sign-in', () => {
  it('keeps email and password exactly as sent, and nothing else', () => {
    const body = JSON.parse('{"email":" a@b ","password":"p ","role":"admin","__proto__":{"x":1}}');
    expect(parse(body)).toEqual({ email: ' a@b ', password: 'p ' });
  });

  it.each([
    ['a missing member', {}, 'is required'],
    ['an empty one', { email: '' }, 'must not be empty'],
    ['null', { email: null }, 'must be a string'],
    ['a list', { email: ['a'] }, 'must be a string'],
    ['an object', { email: { $gt: '' } }, 'must be a string'],
    ['one too long', { email: 'a'.repeat(321) }, 'must be at most 320 characters long'],
    ['one with U+0000', { email: 'a\u0000' }, 'must not hold U+0000 or a lone surrogate'],
    ['a lone surrogate', { email: 'a\ud800' }, 'must not hold U+0000 or a lone surrogate'],
  ])('refuses %s with a message', (_, body, message) => {
    expect(parse({ password: 'secret', ...body })).toEqual([['email', message]]);
  });

  it('accepts a password of at most 1,024 characters', () => {
    expect(parse({ email: 'a', password: 'x'.repeat(1024) })).toHaveProperty('password');
    expect(parse({ email: 'a', password: 'x'.repeat(1025) })).toEqual([
      ['password', 'must be at most 1024 characters long'],
    ]);
  });

  it.each([[null], [[]], ['text'], [1], [true]])('refuses %j, which is no object', (body) => {
    expect(parse(body)).toEqual([['must be an object']]);
  });
});
