import { anEvent, apiToken, givenMember, givenOrganization, signInToken } from '@gatehouse/domain/testing';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

interface List {
  readonly items: readonly { readonly id: number }[];
  readonly next_cursor: string | null;
}

async function serveLists() {
  const served = await startTestServer();
  const { world, people } = served;
  const list = async (query = '', request?: Call) => {
    const answer = await served.get(`/api/v1/orgs${query}`, request);
    return { ...answer, list: answer.json as List };
  };
  /** Follows the cursors of pages with this many items, and returns the ids of each page. */
  const pages = async (limit: number, request?: Call) => {
    const ids: number[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor && `&cursor=${cursor}`;
      const { list: page } = await list(`?limit=${limit}${after}`, request);
      ids.push(page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };
  return { ...served, memberToken: await signInToken(world, people.member), list, pages };
}

describe('GET /api/v1/orgs', () => {
  it('answers with the same three members of each organization as the organization itself', async () => {
    await using scene = await serveLists();
    const { people, list, get } = scene;
    const { status, headers, text } = await list();
    expect(status).toBe(200);
    const each = await Promise.all([people.shared, people.closed].map(({ id }) => get(`/api/v1/orgs/${id}`)));
    expect(text).toBe(`{"items":[${each.map((answer) => answer.text)}],"next_cursor":null}`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const tag = headers.get('etag') as string;
    expect((await list('', { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('lists exactly the organizations that the caller may read, for an admin and for a member', async () => {
    await using scene = await serveLists();
    const { people, world, memberToken, adminToken, get, pages } = scene;
    const third = await givenOrganization(world, people.admin.accountId);
    await givenMember(world, third.id, people.member.id);
    const all = [people.shared.id, people.closed.id, people.foreign.id, third.id];
    for (const token of [await adminToken(), memberToken]) {
      const answers = await Promise.all(all.map((id) => get(`/api/v1/orgs/${id}`, { token })));
      const readable = all.filter((_, index) => answers[index]?.status === 200);
      expect((await pages(50, { token })).flat()).toEqual(readable);
    }
    expect((await pages(50, { token: memberToken })).flat()).toEqual([people.shared.id, third.id]);
  });

  it('shows no organization any more that a member left, or that is gone', async () => {
    await using scene = await serveLists();
    const { people, world, memberToken, pages } = scene;
    const other = await givenOrganization(world, people.admin.accountId);
    await givenMember(world, other.id, people.member.id);
    const leaves = { organizationId: people.shared.id, userId: people.member.id };
    await world.organizations.removeMember(leaves, anEvent());
    expect(await pages(50, { token: memberToken })).toEqual([[other.id]]);
    await world.organizations.delete(other.id, () => anEvent());
    expect(await pages(50, { token: memberToken })).toEqual([[]]);
  });

  it('is read page by page, whatever is deleted between two pages', async () => {
    await using scene = await serveLists();
    const { people, world, pages, list } = scene;
    const more = [];
    for (let number = 0; number < 3; number += 1)
      more.push((await givenOrganization(world, people.admin.accountId)).id);
    const all = [people.shared.id, people.closed.id, ...more];
    expect(await pages(2)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(await pages(5)).toEqual([all]);
    const first = (await list('?limit=2')).list;
    await world.organizations.delete(people.closed.id, () => anEvent());
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).list;
    expect(second.items.map(({ id }) => id)).toEqual(all.slice(2, 4));
  });

  it('needs the scope, and a valid limit and cursor', async () => {
    await using scene = await serveLists();
    const { world, people, list } = scene;
    const cursors = [
      'x',
      '1',
      Buffer.from('"1"').toString('base64url'),
      Buffer.from('-1').toString('base64url'),
    ];
    const queries = ['limit=0', 'limit=101', 'limit=x', ...cursors.map((cursor) => `cursor=${cursor}`)];
    for (const query of queries) {
      const answer = await list(`?${query}`);
      expect([query, answer.status]).toEqual([query, 422]);
    }
    const token = (await apiToken(world, people.admin, { scopes: ['me:read'] })).secret;
    expect((await list('?limit=0', { token })).status).toBe(403);
    expect((await list('', { token: 'x' })).status).toBe(401);
  });
});
