import { createInMemoryRepositories } from '@gatehouse/domain/testing';
import { createInMemoryShiftNotes } from './in-memory-shift-notes.ts';
import { shiftNoteRepositoryContract } from './shift-note-repository-contract.ts';

shiftNoteRepositoryContract('the in-memory store', async () => {
  const repositories = createInMemoryRepositories();
  return { repositories, shiftNotes: createInMemoryShiftNotes(repositories), close: async () => {} };
});
