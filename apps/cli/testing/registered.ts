import type { Extension } from '@gatehouse/extension-kit';
import { EXTENSIONS } from '@gatehouse/extensions';
import { shiftNotes } from '@gatehouse/shift-notes';

/** The extensions of tests: those of the installation, and the example. */
export const REGISTERED: readonly Extension[] = [...EXTENSIONS, shiftNotes];
