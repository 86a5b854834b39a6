import type { ExtensionPorts } from '@gatehouse/extension-kit/domain';
import type { ShiftNoteRepository } from './shift-note-repository.ts';

export type ShiftNotePorts = ExtensionPorts<ShiftNoteRepository>;
