export { examples } from './examples.ts';
export { createInMemoryShiftNotes as createInMemoryStore } from './in-memory-shift-notes.ts';
export { type ShiftNoteStores, shiftNoteRepositoryContract } from './shift-note-repository-contract.ts';
