import { expect, test } from 'vitest';
import { copiedFiles, EXAMPLE_NAMES } from './copy.ts';
import { pluralOf } from './names.ts';
import { renaming } from './rename.ts';
import { EXAMPLE, filesBelow, read } from './workspace.ts';

test.each([
  ['work-order', 'work-orders'],
  ['batch', 'batches'],
  ['policy', 'policies'],
  ['survey', 'surveys'],
])('several of %s are %s', (one, several) => expect(pluralOf(one)).toBe(several));

test('a name is replaced in each of its spellings, and its article follows', () => {
  const rename = renaming(EXAMPLE_NAMES, { one: 'open-day', several: 'open-days' });
  expect(rename('shift-note shiftNote ShiftNote shift_note SHIFT_NOTE')).toBe(
    'open-day openDay OpenDay open_day OPEN_DAY',
  );
  expect(rename('listShiftNotes Shift notes shift_notes.shift_notes shift-notes:read SHIFT_NOTES')).toBe(
    'listOpenDays Open days open_days.open_days open-days:read OPEN_DAYS',
  );
  expect(rename('A shift note needs a shift note, and a text.')).toBe(
    'An open day needs an open day, and a text.',
  );
});

test('the sound of a name decides on its article', () => {
  expect(renaming(EXAMPLE_NAMES, { one: 'unit', several: 'units' })('a shift note')).toBe('a unit');
});

/** `note:` is a member of the kit's commands. */
const OF_EXAMPLE = /shift|\bnotes?\b(?!:)/i;

test('an irregular plural stands wherever several are meant', () => {
  const files = copiedFiles({ one: 'person', several: 'people' });
  expect([...files.keys()]).toContain('packages/people/src/domain/manage-people.ts');
  expect(files.get('packages/people/package.json')).toContain('"@gatehouse/people"');
  const all = [...files].flat().join('\n');
  expect(all).not.toMatch(/[Pp]ersons/);
  expect(all).not.toMatch(OF_EXAMPLE);
});

test('no file of the copy has a word of the example’s name left, and none of the example is missing', () => {
  const files = copiedFiles({ one: 'work-order', several: 'work-orders' });
  expect(files.size).toBe(filesBelow(EXAMPLE).length);
  expect([...files].flat().join('\n')).not.toMatch(OF_EXAMPLE);
});

test('a copy of the copy by the first name is the example again', () => {
  const names = { one: 'work-order', several: 'work-orders' };
  const back = renaming(names, EXAMPLE_NAMES);
  for (const path of filesBelow(EXAMPLE)) {
    const text = read(`${EXAMPLE}/${path}`);
    expect(back(renaming(EXAMPLE_NAMES, names)(text))).toBe(text);
  }
});
