export { createInMemoryShiftNotes } from './in-memory-shift-notes.ts';
export { type ShiftNoteStores, shiftNoteRepositoryContract } from './shift-note-repository-contract.ts';
