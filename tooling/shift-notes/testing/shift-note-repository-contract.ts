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

/** The suite that every implementation of `ShiftNoteRepository` passes. */
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
      const shiftNote = {
        text: 'Press 4 leaks',
        severity: 'info',
        dueOn: null,
        createdAt: START,
        ...place,
        ...parts,
      };
      return unwrap(await stores.shiftNotes.insert(shiftNote as NewShiftNote, () => anEvent()));
    }

    const newestOrigin = async () => (await stores.repositories.audit.list({ limit: 1 }))[0]?.event.origin;

    test('a created shift note is open, is found by its id, and has its event', async () => {
      const place = await anOrganization();
      const shiftNote = {
        ...place,
        text: 'Zeile 1\nZeile 2 ✓',
        severity: 'urgent',
        dueOn: parseDay('2028-02-29') as Day,
        createdAt: START,
      } as const;
      const created = unwrap(
        await stores.shiftNotes.insert(shiftNote, ({ id }) => anEvent({ origin: `shift note ${id}` })),
      );
      expect(created).toEqual({ id: created.id, ...shiftNote, status: 'open', closedAt: null });
      expect(created).toSatisfy(Object.isFrozen);
      expect(await stores.shiftNotes.findById(created.id)).toEqual(created);
      expect(await newestOrigin()).toBe(`shift note ${created.id}`);
    });

    test('an organization that is not there any more is refused, without an event', async () => {
      const before = await given();
      const shiftNote = { ...before, organizationId: NONE as OrganizationId };
      const refused = await stores.shiftNotes.insert(shiftNote, () => anEvent({ origin: 'never' }));
      expect(refused).toEqual(err({ code: 'not_found' }));
      expect(await newestOrigin()).not.toBe('never');
    });

    test('a shift note without an event is not created', async () => {
      const { id: before, organizationId, accountId } = await given();
      const shiftNote = {
        organizationId,
        accountId,
        text: 'x',
        severity: 'info',
        dueOn: null,
        createdAt: START,
      } as const;
      const inserted = stores.shiftNotes.insert(shiftNote, () => {
        throw new Error('no event');
      });
      await expect(inserted).rejects.toThrow('no event');
      const listed = await stores.shiftNotes.list({ organizationId, limit: 10 });
      expect(listed.map(({ id }) => id)).toEqual([before]);
    });

    test('shift notes are listed by id, of one organization, page by page, and by their status', async () => {
      const place = await anOrganization();
      const shiftNotes = [await given(place), await given(place), await given(place)];
      await given();
      const [first, second, third] = shiftNotes.map(({ id }) => id) as [
        ShiftNoteId,
        ShiftNoteId,
        ShiftNoteId,
      ];
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

    test('a shift note is closed once; closing it again is neither an error nor an event', async () => {
      const shiftNote = await given();
      const close = (origin: string, at = LATER) =>
        stores.shiftNotes.close(shiftNote.id, at, ({ status }) => anEvent({ origin, details: { status } }));
      const closed = { ...shiftNote, status: 'closed', closedAt: LATER };
      expect(await close('first')).toEqual(ok({ shiftNote: closed, already: false }));
      expect(await close('second', (LATER + 1000) as Instant)).toEqual(
        ok({ shiftNote: closed, already: true }),
      );
      expect(await newestOrigin()).toBe('first');
      expect(await stores.shiftNotes.findById(shiftNote.id)).toEqual(closed);
    });

    test('an unknown shift note is absent, and not closed', async () => {
      const id = NONE as ShiftNoteId;
      expect(await stores.shiftNotes.findById(id)).toBeUndefined();
      const closed = await stores.shiftNotes.close(id, LATER, () => anEvent());
      expect(closed).toEqual(err({ code: 'shift_note_not_found' }));
    });

    test('a shift note goes with its organization', async () => {
      const shiftNote = await given();
      const { organizations } = stores.repositories;
      unwrap(await organizations.delete(shiftNote.organizationId, () => anEvent()));
      const listed = await stores.shiftNotes.list({ organizationId: shiftNote.organizationId, limit: 10 });
      expect(listed).toEqual([]);
    });
  });
}
