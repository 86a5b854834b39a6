import type { Repositories } from '@gatehouse/domain';
import { anEvent, givenAccount, givenOrganization, START, unwrap } from '@gatehouse/domain/testing';
import { raceOf } from '@gatehouse/extension-testing';
import { shiftNotes } from '../index.ts';

const TEXT = { text: 'Press 4 leaks', severity: 'info', dueOn: null, createdAt: START } as const;

async function givenPlace(repositories: Repositories) {
  const { id, accountId } = await givenOrganization(repositories, (await givenAccount(repositories)).id);
  return { organizationId: id, accountId };
}

raceOf(shiftNotes, {
  name: 'two that close a shift note',
  async arrange({ store, repositories }) {
    return unwrap(await store.insert({ ...TEXT, ...(await givenPlace(repositories)) }, () => anEvent()));
  },
  one: ({ store, event }, { id }) => store.close(id, START, event),
  other: ({ store, event }, { id }) => store.close(id, START, event),
  wrong: (outcomes) => {
    const closed = outcomes.filter((outcome) => !unwrap(outcome).already).length;
    return closed === 1 ? undefined : `it was closed ${closed} times`;
  },
  keptBy: 'locks',
});

raceOf(shiftNotes, {
  name: 'a new shift note and the end of its organization',
  arrange: ({ repositories }) => givenPlace(repositories),
  one: ({ store, event }, place) => store.insert({ ...TEXT, ...place }, event),
  other: ({ repositories, event }, { organizationId }) =>
    repositories.organizations.delete(organizationId, event),
  wrong: async (_, { organizationId }, store) => {
    const left = await store.list({ organizationId, limit: 10 });
    return left.length === 0 ? undefined : 'it is there without its organization';
  },
  keptBy: { takenAwayBy: 'alter table shift_notes.shift_notes drop constraint shift_notes_organization' },
});
