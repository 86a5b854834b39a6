import { describe, expect, it } from 'vitest';
import { createOpenApiDocument, PROBLEMS } from '../src/index.ts';
import { type CheckedAnswer, createAnswerCheck } from './answer-check.ts';

const { problemsOf, documented } = createAnswerCheck(
  JSON.parse(JSON.stringify(createOpenApiDocument('paseto'))),
);

const HEADERS = {
  'content-type': 'application/json',
  'x-request-id': 'mine',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache',
  etag: '"1"',
};

function organization(parts: {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}): CheckedAnswer {
  const { status = 200, headers, body = '{"id":1,"name":"Press shop","description":null}' } = parts;
  return { status, headers: new Map(Object.entries({ ...HEADERS, ...headers })), body };
}

const PROBLEM = { headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' } };

describe('the check of an answer against the document', () => {
  it('finds no problem in a response as documented', () => {
    expect(problemsOf('getOrg', organization({}))).toEqual([]);
    expect(problemsOf('getOrg', organization({ body: '' }), 'HEAD')).toEqual([]);
  });

  it.each<[string, Parameters<typeof organization>[0], string]>([
    ['a member more', { body: '{"id":1,"name":"x","description":null,"account_id":1}' }, 'additional'],
    ['a member less', { body: '{"id":1,"name":"x"}' }, 'required'],
    ['another type', { body: '{"id":"1","name":"x","description":null}' }, '/id must be integer'],
    ['no JSON', { body: '{' }, 'no JSON'],
    ['another content type', { headers: { 'content-type': 'text/html' } }, 'content type text/html'],
    ['an undescribed status', { status: 418 }, 'getOrg 418 is unheard of'],
    ['a header that is not as described', { headers: { etag: '1' } }, 'ETag'],
    [
      'a telling header that is not described',
      { headers: { 'retry-after': '1' } },
      'retry-after is unheard of',
    ],
    ['a body where there is none', { status: 304, headers: {} }, 'a body where there is none'],
    [
      'the problem of another status',
      { ...PROBLEM, status: 404, body: JSON.stringify(PROBLEMS.not_allowed) },
      'must be equal to constant',
    ],
  ])('finds %s', (_, parts, problem) => {
    expect(problemsOf('getOrg', organization(parts)).join()).toContain(problem);
  });

  it('finds what is missing, and knows every response of every operation', () => {
    const { headers, ...rest } = organization({});
    const without = new Map([...headers].filter(([name]) => name !== 'x-request-id'));
    expect(problemsOf('getOrg', { ...rest, headers: without })).toEqual(['no X-Request-Id']);
    expect(documented).toEqual(expect.arrayContaining(['getOrg 304', 'signIn 429', 'getJwks 503']));
  });
});
