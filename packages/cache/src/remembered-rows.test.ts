import {
  createInMemoryRepositories,
  givenAdmin,
  givenOrganization,
  readerFrom,
} from '@gatehouse/domain/testing';
import { describe, expect, test, vi } from 'vitest';
import { AMPLE, createFeedParts, MAX_STALENESS_MS } from '../testing/parts.ts';
import { createCachedOrganizations } from './cached-organizations.ts';
import { createChangeLog } from './change-log.ts';
import { createRememberedRows } from './remembered-rows.ts';

const NOTES = 'shift_notes.shift_notes';

function arrange() {
  const parts = createFeedParts();
  parts.feed.beat();
  const coherence = { ...parts, changes: createChangeLog(parts.feed) };
  const remember = createRememberedRows(coherence);
  const stored = new Map<number, { readonly text: string }>([
    [1, { text: 'one' }],
    [2, { text: 'two' }],
  ]);
  const read = vi.fn(async (id: number) => stored.get(id));
  return { ...parts, coherence, remember, stored, read, find: remember(NOTES, read) };
}

describe('a remembered row', () => {
  test('is read once, until it changes', async () => {
    const { feed, find, read, stored } = arrange();
    expect(await find(1)).toEqual({ text: 'one' });
    expect(await find(1)).toBe(await find(1));
    expect(read).toHaveBeenCalledTimes(1);
    stored.set(1, { text: 'changed' });
    feed.tell({ kind: 'row', table: NOTES, id: 2 });
    feed.tell({ kind: 'row', table: 'others.others', id: 1 });
    expect(await find(1)).toEqual({ text: 'one' });
    feed.tell({ kind: 'row', table: NOTES, id: 1 });
    expect(await find(1)).toEqual({ text: 'changed' });
  });

  test('is dropped with all of its table, and not with those of others', async () => {
    const { feed, find, read } = arrange();
    await find(1);
    await find(2);
    feed.tell({ kind: 'rows', table: 'others.others' });
    await find(1);
    expect(read).toHaveBeenCalledTimes(2);
    feed.tell({ kind: 'rows', table: NOTES });
    await find(1);
    await find(2);
    expect(read).toHaveBeenCalledTimes(4);
    feed.tell({ kind: 'everything' });
    await find(1);
    expect(read).toHaveBeenCalledTimes(5);
  });

  test('is not remembered by another spelling of its id, which no change names', async () => {
    const { feed, remember } = arrange();
    const read = vi.fn(async (id: string) => ({ id: id.toLowerCase() }));
    const find = remember(NOTES, read);
    expect(await find('AB')).toEqual({ id: 'ab' });
    feed.tell({ kind: 'row', table: NOTES, id: 'ab' });
    await find('AB');
    expect(read).toHaveBeenCalledTimes(2);
    await find('ab');
    await find('ab');
    expect(read).toHaveBeenCalledTimes(3);
  });

  test('that is absent is not remembered', async () => {
    const { find, read, stored } = arrange();
    expect(await find(3)).toBeUndefined();
    stored.set(3, { text: 'three' });
    expect(await find(3)).toEqual({ text: 'three' });
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('is read again where it, or any of its table, changed while it was read', async () => {
    for (const change of [
      { kind: 'row', table: NOTES, id: 1 } as const,
      { kind: 'rows', table: NOTES } as const,
    ]) {
      const { feed, remember, stored } = arrange();
      let told = false;
      const find = remember(NOTES, async (id: number) => {
        const found = stored.get(id);
        if (!told) {
          told = true;
          stored.set(1, { text: 'changed' });
          feed.tell(change);
        }
        return found;
      });
      expect(await find(1)).toEqual({ text: 'changed' });
      expect(await find(1)).toEqual({ text: 'changed' });
    }
  });

  test('is not used once the feed is no longer fresh', async () => {
    const { find, read, pass } = arrange();
    await find(1);
    pass(MAX_STALENESS_MS + 1);
    await find(1);
    expect(read).toHaveBeenCalledTimes(2);
  });
});

test('an extension that writes all the time leaves organizations in memory', async () => {
  const { coherence, feed } = arrange();
  const store = createInMemoryRepositories();
  const admin = await givenAdmin(store);
  const { id } = await givenOrganization(store, admin.accountId);
  const findForUser = vi.fn(store.organizations.findForUser);
  const cached = createCachedOrganizations(
    { ...store.organizations, findForUser },
    { ...coherence, ...AMPLE },
  );
  for (let writes = 0; writes < 200; writes += 1) {
    feed.tell({ kind: 'rows', table: NOTES });
    await cached.findForUser(id, readerFrom(admin));
  }
  expect(findForUser).toHaveBeenCalledTimes(1);
});
