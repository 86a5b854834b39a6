import { OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { openTestServer } from '@gatehouse/extension-testing';
import { expect, onTestFinished, test } from 'vitest';
import { shiftNotes } from '../index.ts';

async function arrange() {
  const { useCases, ask, shared, closed, foreign, ...served } = await openTestServer(shiftNotes);
  onTestFinished(() => served[Symbol.asyncDispose]());
  const organizationId = shared.id;
  const create = async (text: string) => {
    const parts = { organizationId, text, severity: 'info', dueOn: null } as const;
    return unwrap(await useCases.createShiftNote(OPERATOR, parts)).id;
  };
  const [one, two] = [await create('one'), await create('two'), await create('three')];
  const listOf = (id: number) => `/api/v1/orgs/${id}/shift-notes`;
  return { useCases, ask, organizationId, closed, foreign, one, two, listOf, list: listOf(shared.id) };
}

test('a list comes in pages', async () => {
  const { ask, list } = await arrange();
  const first = await ask(`${list}?limit=2`);
  expect(first).toMatchObject({
    status: 200,
    body: { items: [{ text: 'one' }, { text: 'two' }], next_cursor: expect.any(String) },
  });
  const { next_cursor } = first.body as { readonly next_cursor: string };
  expect(await ask(`${list}?limit=2&cursor=${next_cursor}`)).toMatchObject({
    body: { items: [{ text: 'three' }], next_cursor: null },
  });
  expect(first.headers.get('etag')).not.toBeNull();
  for (const query of ['limit=0', 'cursor=other', 'status=other']) {
    expect(await ask(`${list}?${query}`)).toMatchObject({ status: 422 });
  }
});

test('a list is filtered by status', async () => {
  const { useCases, ask, organizationId, two, list } = await arrange();
  unwrap(await useCases.closeShiftNote(OPERATOR, { organizationId, id: two }));
  const listed = async (status: string) => (await ask(`${list}?status=${status}`)).body;
  expect(await listed('closed')).toMatchObject({ items: [{ text: 'two' }] });
  expect(await listed('open')).toMatchObject({ items: [{ text: 'one' }, { text: 'three' }] });
});

test('one is shown to those who may know of it', async () => {
  const { ask, closed, foreign, one, listOf, list } = await arrange();
  expect(await ask(`${list}/${one}`)).toMatchObject({
    status: 200,
    body: { id: one, text: 'one', severity: 'info', due_on: null, status: 'open', closed_at: null },
  });
  const byMember = await ask(`${list}/${one}`, { as: 'member' });
  expect(byMember.status).toBe(200);
  expect(byMember.headers.get('etag')).not.toBeNull();
  expect(await ask(`${list}/${one}`, { as: null })).toMatchObject({ status: 401 });
  expect(await ask(`${list}/999`)).toMatchObject({ status: 404 });
  expect(await ask(`${list}/first`)).toMatchObject({ status: 404 });
  expect(await ask(listOf(closed.id), { as: 'member' })).toMatchObject({ status: 403 });
  expect(await ask(listOf(foreign.id))).toMatchObject({ status: 404 });
});
