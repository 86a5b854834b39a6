import { anEvent, START, unwrap } from '@gatehouse/domain/testing';
import type { Organization } from '@gatehouse/extension-kit/domain';
import type { ExamplesOf } from '@gatehouse/extension-kit/http';
import type { Example, ExampleScene } from '@gatehouse/extension-kit/testing';
import type { ShiftNoteRepository } from '../src/domain/index.ts';
import type { getShiftNote, listShiftNotes } from '../src/http/routes.ts';

interface ShiftNoteExamples {
  readonly listShiftNotes: ExamplesOf<typeof listShiftNotes, Example>;
  readonly getShiftNote: ExamplesOf<typeof getShiftNote, Example>;
}

/** Creates a shift note in each organization, and examples of requests for them. */
export async function examples({ store, text, shared, closed, foreign }: ExampleScene<ShiftNoteRepository>) {
  const shiftNoteIn = async ({ id: organizationId, accountId }: Organization) => {
    const shiftNote = {
      organizationId,
      accountId,
      text,
      severity: 'info',
      dueOn: null,
    } as const;
    return unwrap(await store.insert({ ...shiftNote, createdAt: START }, () => anEvent())).id;
  };
  const [here, hidden] = [await shiftNoteIn(shared), await shiftNoteIn(closed)];
  const of = ({ id }: Organization) => ({ organization: id });
  const outcomes: ShiftNoteExamples = {
    listShiftNotes: {
      success: { params: of(shared) },
      not_allowed: { as: 'member', params: of(closed) },
      not_found: { params: of(foreign) },
    },
    getShiftNote: {
      success: { params: { ...of(shared), id: here } },
      not_allowed: { as: 'member', params: { ...of(closed), id: hidden } },
      not_found: { params: { ...of(shared), id: hidden } },
    },
  };
  return { ...outcomes };
}
