import { signInToken } from '@gatehouse/domain/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

// Other spellings of ids are in security/spellings.test.ts, and the order of what is checked in http/serve.test.ts.

async function serveOrganizations() {
  const served = await startTestServer();
  const get = (id: string | number, request?: Call) => served.get(`/api/v1/orgs/${id}`, request);
  return { ...served, get };
}

const undated = (headers: Iterable<[string, string]> = []) =>
  [...headers].filter(([name]) => name !== 'date');

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
    const { world, people, get } = scene;
    const token = await signInToken(world, people.member);
    expect((await get(people.closed.id)).status).toBe(200);
    expect((await get(people.shared.id, { token })).status).toBe(200);
    const closed = await get(people.closed.id, { token, headers: { 'if-none-match': '*' } });
    expect([closed.status, closed.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  it("answers another account's organization exactly as one that does not exist", async () => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const headers = { 'x-request-id': 'same' };
    const answers = await Promise.all([people.foreign.id, 999_999, 'x'].map((id) => get(id, { headers })));
    for (const answer of answers) {
      expect([answer.status, answer.json]).toEqual([
        404,
        { type: 'urn:gatehouse:problem:not-found', title: 'There is nothing here.', status: 404 },
      ]);
      expect(undated(answer.headers)).toEqual(undated(answers[0]?.headers));
    }
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
    const tag = (await get(people.shared.id)).headers.get('etag') as string;
    const again = await get(people.shared.id, { headers: { 'if-none-match': header(tag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(tag);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    expect(again.headers.get('content-type')).toBeNull();
  });

  it('with anything else, also another body’s tag, is answered in full', async () => {
    await using scene = await serveOrganizations();
    const { people, get } = scene;
    const other = (await get(people.closed.id)).headers.get('etag') as string;
    for (const header of [other, '"other"', 'W/"other"', '', '""', '"', 'other']) {
      const answer = await get(people.shared.id, { headers: { 'if-none-match': header } });
      expect([header, answer.status]).toEqual([header, 200]);
    }
  });
});
