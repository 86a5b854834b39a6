import { expect, test } from 'vitest';
import { cutLineEnds } from './line-ends.ts';

test('one line end of any system is cut from each variable, and nothing else changes', () => {
  const environment = {
    DATABASE_URL: 'postgres://db.example/gatehouse\r',
    HOST: '127.0.0.1\r\n',
    PORT: '8080\n',
    GATEHOUSE_AS: '\r',
    TOKEN_ISSUER: ' gate\rhouse ',
    TOKEN_AUDIENCE: 'api\r\r',
    TOKEN_FORMAT: undefined,
  };
  cutLineEnds(environment);
  expect(environment).toEqual({
    DATABASE_URL: 'postgres://db.example/gatehouse',
    HOST: '127.0.0.1',
    PORT: '8080',
    GATEHOUSE_AS: '',
    TOKEN_ISSUER: ' gate\rhouse ',
    TOKEN_AUDIENCE: 'api\r',
    TOKEN_FORMAT: undefined,
  });
});
