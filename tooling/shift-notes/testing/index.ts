export { examples } from './examples.ts';
export { createInMemoryShiftNotes as createInMemoryStore } from './in-memory-shift-notes.ts';
