import { defineRefusals } from '@gatehouse/extension-kit';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test } from 'vitest';
import { loadServedExtensions } from './load-extension.ts';

test.each(['not_found', 'token_name_taken', 'internal_error'])(
  'an extension with the refusal %s does not let a server start',
  async (code) => {
    const refusals = defineRefusals({ [code]: { status: 409, title: 'It is taken.', exit: 'conflict' } });
    await expect(loadServedExtensions([{ ...shiftNotes, refusals }])).rejects.toThrow(
      `Gatehouse and shift-notes have the same refusal: ${code}`,
    );
    expect(await loadServedExtensions([shiftNotes])).toHaveLength(1);
  },
);
