import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { apiToken, populate, signInToken } from '../../testing/population.ts';
import { serveWorld } from '../../testing/serve-world.ts';

async function serveOrganizations() {
  const served = await serveWorld();
  const people = await populate(served.world);
  const token = (await apiToken(served.world, people.admin)).secret;
  const get = (id: string | number, more: Parameters<typeof call>[2] = {}) =>
    call(served.url, `/api/v1/orgs/${id}`, { token, ...more });
  return { ...served, served, people, get };
}

const undated = (headers: Iterable<[string, string]> = []) =>
  [...headers].filter(([name]) => name !== 'date');

const NOT_FOUND = { type: 'urn:gatehouse:problem:not-found', title: 'There is nothing here.', status: 404 };

describe('GET /api/v1/orgs/{id}', () => {
  it('answers with exactly three members', async () => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const { status, headers, text } = await get(people.shared.id);
    expect(status).toBe(200);
    expect(text).toBe(`{"id":${people.shared.id},"name":"Press shop","description":null}`);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
  });

  it('shows an admin every organization of the account, and a member those of the member', async () => {
    await using scene = await serveOrganizations();
    const { served, people, get } = scene;
    const token = await signInToken(served.world, people.member);
    expect((await get(people.closed.id)).status).toBe(200);
    expect((await get(people.shared.id, { token })).status).toBe(200);
    const closed = await get(people.closed.id, { token });
    expect([closed.status, closed.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(closed.json).toEqual({
      type: 'urn:gatehouse:problem:not-allowed',
      title: 'The user of the token may not do this.',
      status: 403,
    });
  });

  it("answers another account's organization exactly as one that does not exist", async () => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const headers = { 'x-request-id': 'same' };
    const answers = await Promise.all([people.foreign.id, 999_999, 'x'].map((id) => get(id, { headers })));
    for (const answer of answers) {
      expect([answer.status, answer.json]).toEqual([404, NOT_FOUND]);
      expect(undated(answer.headers)).toEqual(undated(answers[0]?.headers));
    }
  });

  it.each([
    '0',
    '-1',
    '+1',
    '01',
    '1e3',
    '1.0',
    '1.json',
    '0x1',
    '1_000',
    '%D9%A3',
    '9007199254740992',
    '9223372036854775808',
    '1%00',
    '1%2F2',
    '1%0A',
    '1;a=b',
    '1,2',
    '9'.repeat(400),
    'undefined',
    '__proto__',
    "1'--",
    '1%20or%201=1',
  ])('does not find %s', async (id) => {
    await using scene = await serveOrganizations();
    const { get } = scene;
    const { status, json } = await get(id);
    expect([status, json]).toEqual([404, NOT_FOUND]);
  });

  it('finds nothing by any other text, without a fault', async () => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const own = [people.shared.id, people.closed.id].map(String);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        fc.pre(!own.includes(text) && text.isWellFormed());
        expect((await get(encodeURIComponent(text))).status).toBe(404);
      }),
    );
  });

  it('decides in this order: token, scope, id', async () => {
    await using scene = await serveOrganizations();
    const { served, people, get } = scene;
    const { secret } = await apiToken(served.world, people.admin, { scopes: ['me:read'] });
    expect((await get('no-id', { token: 'garbage' })).status).toBe(401);
    expect((await get('no-id', { token: secret })).status).toBe(403);
    expect((await get(people.foreign.id, { token: secret })).status).toBe(403);
    expect((await get('no-id')).status).toBe(404);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['the tag', (tag: string) => tag],
    ['the tag as a weak one', (tag: string) => `W/${tag}`],
    ['a list with the tag in it', (tag: string) => `"other", ${tag} , W/"more"`],
    ['anything', () => '*'],
  ])('with %s is answered by 304 without a body', async (_, header) => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const { headers } = await get(people.shared.id);
    const tag = headers.get('etag') as string;
    const again = await get(people.shared.id, { headers: { 'if-none-match': header(tag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(tag);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    expect(again.headers.get('content-type')).toBeNull();
  });

  it.each(['"other"', 'W/"other"', '', '""', '"', 'other'])('with %j is answered in full', async (header) => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    expect((await get(people.shared.id, { headers: { 'if-none-match': header } })).status).toBe(200);
  });

  it('with another body’s tag is answered in full', async () => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const tag = (await get(people.closed.id)).headers.get('etag') as string;
    expect((await get(people.shared.id, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('is evaluated only if the caller may see the organization', async () => {
    await using scene = await serveOrganizations();
    const { served, people, get } = scene;
    const headers = { 'if-none-match': '*' };
    const token = await signInToken(served.world, people.member);
    expect((await get(people.shared.id, { headers, token: 'garbage' })).status).toBe(401);
    expect((await get(people.closed.id, { headers, token })).status).toBe(403);
    expect((await get(people.foreign.id, { headers })).status).toBe(404);
  });
});
