import { openTestInstallation } from '@gatehouse/extension-testing';
import { shiftNoteRepositoryContract } from '../../testing/shift-note-repository-contract.ts';
import { shiftNotes } from '../index.ts';

shiftNoteRepositoryContract('PostgreSQL', async () => {
  const { store, ...installation } = await openTestInstallation(shiftNotes);
  return { ...installation, shiftNotes: store };
});
