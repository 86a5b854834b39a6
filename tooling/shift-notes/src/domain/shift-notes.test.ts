import {
  createWorldWithAdmins,
  givenMember,
  givenOrganization,
  givenPerson,
  inPerson,
  OPERATOR,
  unwrap,
} from '@gatehouse/domain/testing';
import { err, type Principal } from '@gatehouse/extension-kit/domain';
import { expect, test } from 'vitest';
import { createInMemoryShiftNotes } from '../../testing/in-memory-shift-notes.ts';
import { createUseCases, type ShiftNoteId } from './index.ts';

async function arrange() {
  const { world, ada, eve } = await createWorldWithAdmins();
  const store = createInMemoryShiftNotes(world);
  const useCases = createUseCases({ ...world, store });
  const { id: organizationId } = await givenOrganization(world, ada.accountId);
  const { id: otherId } = await givenOrganization(world, ada.accountId);
  const { accountId } = ada;
  const member = await givenPerson(world, { accountId, email: 'mo@acme.example', role: 'member' });
  await givenMember(world, organizationId, member.id);
  const outsider = await givenPerson(world, { accountId, email: 'ola@acme.example', role: 'member' });
  const shiftNote = { organizationId, text: 'Press 4 leaks', severity: 'warning', dueOn: null } as const;
  const callers = [ada, eve, member, outsider].map(inPerson) as [Principal, Principal, Principal, Principal];
  const created = unwrap(await useCases.createShiftNote(callers[0], shiftNote));
  const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
  return { useCases, callers, shiftNote, created, organizationId, otherId, newestEvent };
}

test('an admin and the operator create shift notes, members do not', async () => {
  const { useCases, callers, shiftNote, created, newestEvent } = await arrange();
  const [, eve, member] = callers;
  expect(await newestEvent()).toMatchObject({
    action: 'shift_note.created',
    subject: { type: 'shift_note', id: String(created.id) },
    accountId: created.accountId,
  });
  expect(await useCases.createShiftNote(OPERATOR, shiftNote)).toMatchObject({ ok: true });
  expect(await useCases.createShiftNote(member, shiftNote)).toEqual(err({ code: 'not_allowed' }));
  expect(await useCases.createShiftNote(eve, shiftNote)).toEqual(err({ code: 'not_found' }));
});

test('a shift note needs a text of at most 2000 characters', async () => {
  const { useCases, callers, shiftNote } = await arrange();
  const create = (text: string) => useCases.createShiftNote(callers[0], { ...shiftNote, text });
  expect(await create('x'.repeat(2000))).toMatchObject({ ok: true });
  for (const text of ['', ' \n', 'x'.repeat(2001), 'a\u0000b']) {
    expect(await create(text)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  }
});

test('members of the organization and admins of its account read its shift notes', async () => {
  const { useCases, callers, created, organizationId } = await arrange();
  const outcomes = callers.map(async (caller) => {
    const read = await useCases.getShiftNote(caller, { organizationId, id: created.id });
    const listed = await useCases.listShiftNotes(caller, { organizationId, limit: 10 });
    return [read.ok ? read.value : read.error.code, listed.ok ? listed.value : listed.error.code];
  });
  expect(await Promise.all(outcomes)).toEqual([
    [created, [created]],
    ['not_found', 'not_found'],
    [created, [created]],
    ['not_allowed', 'not_allowed'],
  ]);
});

test('a shift note is not found under another organization, and not by what is no id', async () => {
  const { useCases, callers, created, organizationId, shiftNote } = await arrange();
  const elsewhere = unwrap(await useCases.createShiftNote(OPERATOR, shiftNote));
  expect(elsewhere.id).not.toBe(created.id);
  const read = (reference: Parameters<typeof useCases.getShiftNote>[1]) =>
    useCases.getShiftNote(callers[0], reference);
  const notFound = err({ code: 'not_found' });
  expect(await read({ organizationId: undefined, id: created.id })).toEqual(notFound);
  expect(await read({ organizationId, id: undefined })).toEqual(notFound);
  expect(await read({ organizationId, id: 999 as ShiftNoteId })).toEqual(notFound);
});

test('a token needs the scope to read shift notes, and manages none', async () => {
  const { useCases, callers, created, organizationId, shiftNote } = await arrange();
  const token = (scope: Principal['scopes'][number]): Principal => ({
    ...callers[0],
    scopes: [scope as '*'],
  });
  const read = (caller: Principal) => useCases.getShiftNote(caller, { organizationId, id: created.id });
  expect(await read(token('shift-notes:read'))).toMatchObject({ ok: true });
  expect(await read(token('orgs:read'))).toEqual(
    err({ code: 'insufficient_scope', scope: 'shift-notes:read' }),
  );
  expect(await useCases.createShiftNote(token('*'), shiftNote)).toEqual(err({ code: 'not_allowed' }));
  expect(await useCases.closeShiftNote(token('*'), { organizationId, id: created.id })).toEqual(
    err({ code: 'not_allowed' }),
  );
});

test('a shift note is closed once, by an admin of its account or the operator', async () => {
  const { useCases, callers, created, newestEvent, organizationId } = await arrange();
  const [ada, eve, member] = callers;
  const close = (caller: Parameters<typeof useCases.closeShiftNote>[0]) =>
    useCases.closeShiftNote(caller, { organizationId, id: created.id });
  expect(await close(eve)).toEqual(err({ code: 'not_found' }));
  expect(await close(member)).toEqual(err({ code: 'not_allowed' }));
  expect(await close(ada)).toMatchObject({ ok: true, value: { already: false } });
  expect(await newestEvent()).toMatchObject({ action: 'shift_note.closed', actor: { id: ada.userId } });
  expect(await close(OPERATOR)).toMatchObject({ ok: true, value: { already: true } });
  expect(await newestEvent()).toMatchObject({ actor: { id: ada.userId } });
});

test('a shift note is not closed under another organization', async () => {
  const { useCases, callers, created, otherId } = await arrange();
  const reference = { organizationId: otherId, id: created.id };
  expect(await useCases.closeShiftNote(callers[0], reference)).toEqual(err({ code: 'shift_note_not_found' }));
});
