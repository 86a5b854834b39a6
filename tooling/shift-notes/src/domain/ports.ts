import type { ExtensionPorts } from '@gatehouse/extension-kit';
import type { ShiftNoteRepository } from './shift-note-repository.ts';

export type ShiftNotePorts = ExtensionPorts<ShiftNoteRepository>;
