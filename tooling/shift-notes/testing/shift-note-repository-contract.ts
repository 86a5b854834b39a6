import type { Repositories } from '@gatehouse/domain';
import { anEvent, givenAccount, givenOrganization, START, unwrap } from '@gatehouse/domain/testing';
import { err, type Instant, type OrganizationId, ok } from '@gatehouse/extension-kit/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Day,
  type NewShiftNote,
  parseDay,
  type ShiftNoteId,
  type ShiftNoteRepository,
} from '../src/domain/index.ts';

/** A store of shift notes, beside the repositories of Gatehouse in the same database. */
export interface ShiftNoteStores {
  readonly shiftNotes: ShiftNoteRepository;
  readonly repositories: Repositories;
  close(): Promise<void>;
}

const NONE = 999_999_999;
const LATER = (START + 60_000) as Instant;

/** What every implementation of `ShiftNoteRepository` promises. */
export function shiftNoteRepositoryContract(name: string, open: () => Promise<ShiftNoteStores>): void {
  describe(`${name} keeps the contract of ShiftNoteRepository`, () => {
    let stores: ShiftNoteStores;
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores?.close());

    async function anOrganization() {
      const { repositories } = stores;
      const { id, accountId } = await givenOrganization(repositories, (await givenAccount(repositories)).id);
      return { organizationId: id, accountId };
    }

    async function given(parts: Partial<NewShiftNote> = {}) {
      const place = parts.organizationId === undefined ? await anOrganization() : {};
      const note = {
        text: 'Press 4 leaks',
        severity: 'info',
        dueOn: null,
        createdAt: START,
        ...place,
        ...parts,
      };
      return unwrap(await stores.shiftNotes.insert(note as NewShiftNote, () => anEvent()));
    }

    const newestOrigin = async () => (await stores.repositories.audit.list({ limit: 1 }))[0]?.event.origin;

    test('a created note is open, is found by its id, and has its event', async () => {
      const place = await anOrganization();
      const note = {
        ...place,
        text: 'Zeile 1\nZeile 2 ✓',
        severity: 'urgent',
        dueOn: parseDay('2028-02-29') as Day,
        createdAt: START,
      } as const;
      const created = unwrap(
        await stores.shiftNotes.insert(note, ({ id }) => anEvent({ origin: `note ${id}` })),
      );
      expect(created).toEqual({ id: created.id, ...note, status: 'open', closedAt: null });
      expect(created).toSatisfy(Object.isFrozen);
      expect(await stores.shiftNotes.findById(created.id)).toEqual(created);
      expect(await newestOrigin()).toBe(`note ${created.id}`);
    });

    test('an organization that is not there any more is refused, without an event', async () => {
      const before = await given();
      const note = { ...before, organizationId: NONE as OrganizationId };
      const refused = await stores.shiftNotes.insert(note, () => anEvent({ origin: 'never' }));
      expect(refused).toEqual(err({ code: 'not_found' }));
      expect(await newestOrigin()).not.toBe('never');
    });

    test('a note without an event is not created', async () => {
      const { id: before, organizationId, accountId } = await given();
      const note = {
        organizationId,
        accountId,
        text: 'x',
        severity: 'info',
        dueOn: null,
        createdAt: START,
      } as const;
      const inserted = stores.shiftNotes.insert(note, () => {
        throw new Error('no event');
      });
      await expect(inserted).rejects.toThrow('no event');
      const listed = await stores.shiftNotes.list({ organizationId, limit: 10 });
      expect(listed.map(({ id }) => id)).toEqual([before]);
    });

    test('notes are listed by id, of one organization, page by page, and by their status', async () => {
      const place = await anOrganization();
      const notes = [await given(place), await given(place), await given(place)];
      await given();
      const [first, second, third] = notes.map(({ id }) => id) as [ShiftNoteId, ShiftNoteId, ShiftNoteId];
      unwrap(await stores.shiftNotes.close(second, LATER, () => anEvent()));
      const list = async (query: object) => {
        const listed = await stores.shiftNotes.list({
          organizationId: place.organizationId,
          limit: 10,
          ...query,
        });
        return listed.map(({ id }) => id);
      };
      expect(await list({})).toEqual([first, second, third]);
      expect(await list({ limit: 2 })).toEqual([first, second]);
      expect(await list({ after: second })).toEqual([third]);
      expect(await list({ status: 'open' })).toEqual([first, third]);
      expect(await list({ status: 'closed' })).toEqual([second]);
      expect(await list({ organizationId: NONE })).toEqual([]);
    });

    test('a note is closed once; closing it again is neither an error nor an event', async () => {
      const note = await given();
      const close = (origin: string) =>
        stores.shiftNotes.close(note.id, LATER, ({ status }) => anEvent({ origin, details: { status } }));
      const shiftNote = { ...note, status: 'closed', closedAt: LATER };
      expect(await close('first')).toEqual(ok({ shiftNote, already: false }));
      expect(await close('second')).toEqual(ok({ shiftNote, already: true }));
      expect(await newestOrigin()).toBe('first');
      expect(await stores.shiftNotes.findById(note.id)).toEqual(shiftNote);
    });

    test('an unknown note is absent, and not closed', async () => {
      const id = NONE as ShiftNoteId;
      expect(await stores.shiftNotes.findById(id)).toBeUndefined();
      const closed = await stores.shiftNotes.close(id, LATER, () => anEvent());
      expect(closed).toEqual(err({ code: 'shift_note_not_found' }));
    });

    test('a note goes with its organization', async () => {
      const note = await given();
      const { organizations } = stores.repositories;
      unwrap(await organizations.delete(note.organizationId, () => anEvent()));
      const listed = await stores.shiftNotes.list({ organizationId: note.organizationId, limit: 10 });
      expect(listed).toEqual([]);
    });
  });
}
