import { GOOD } from '@gatehouse/domain/testing';
import { MULTIPART, multipart } from '@gatehouse/http/testing';
import { describe, expect, it } from 'vitest';
import { FORM } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

describe('fields that are not valid', () => {
  const long = (length: number) => 'x'.repeat(length);

  it.each<[string, unknown, readonly string[]]>([
    ['no object', '[]', ['body must be an object']],
    ['null', 'null', ['body must be an object']],
    ['text', '"email"', ['body must be an object']],
    ['a number', '1', ['body must be an object']],
    ['nothing in it', '{}', ['email is required', 'password is required']],
    ['empty fields', { email: '', password: '' }, ['email must not be empty', 'password must not be empty']],
    ['a list', { ...GOOD, email: ['a'] }, ['email must be a string']],
    ['an operator', { ...GOOD, password: { $gt: '' } }, ['password must be a string']],
    ['null for a field', { ...GOOD, email: null }, ['email must be a string']],
    ['a long email', { ...GOOD, email: long(321) }, ['email must be at most 320 characters long']],
    ['a long password', { ...GOOD, password: long(1025) }, ['password must be at most 1024 characters long']],
    ['U+0000', { ...GOOD, email: 'a\u0000' }, ['email must not hold U+0000 or a lone surrogate']],
    [
      'a lone surrogate',
      '{"email":"a","password":"\\ud800"}',
      ['password must not hold U+0000 or a lone surrogate'],
    ],
  ])('are named: %s', async (_, body, messages) => {
    await using scene = await startTestServer();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await scene.post(text, 'application/json');
    expect(answer.json).toEqual({
      type: 'urn:gatehouse:problem:invalid-input',
      title: 'The body has fields that are not valid.',
      status: 422,
      errors: messages.map((line) => ({
        field: line.split(' ')[0],
        message: line.split(' ').slice(1).join(' '),
      })),
    });
    expect(answer.status).toBe(422);
  });

  it('are named in forms too, where a file is not text', async () => {
    await using scene = await startTestServer();
    expect((await scene.post('email=a', FORM)).status).toBe(422);
    expect((await scene.post('', FORM)).status).toBe(422);
    expect((await scene.post('email=a&password=%00', FORM)).status).toBe(422);
    const file = multipart(['name="email"; filename="a"', 'a'], ['name="password"', 'b']);
    expect((await scene.post(file, MULTIPART)).json).toMatchObject({
      errors: [{ field: 'email', message: 'must be a string' }],
    });
  });
});
