import { stripVTControlCharacters } from 'node:util';
import type { Column } from '@gatehouse/extension-kit/cli';
import { expect, test } from 'vitest';
import { cellsOf } from './layout.ts';
import { createTable, type TableOptions } from './table.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
}

const ID = '019a0000-0000-7000-8000-00000000000';
const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', value: ({ name }) => name, essential: true, flexible: true },
  { title: 'ID', value: ({ id }) => id, essential: true, folds: true },
  { title: 'LAST REFUSED', value: ({ name }) => `long ago, ${name}`, brief: ({ name }) => `1d ${name}` },
  { title: 'OWNER', value: ({ owner = 'ada' }) => owner, essential: true },
  { title: 'KIND', value: ({ id }) => `kind ${id.at(-1)}` },
];
const ROWS = ['ERP', 'Wiki'].map((name, index) => ({ id: `${ID}${index}`, name }));

function print(rows: readonly Row[], options: TableOptions = {}, columns = COLUMNS): string {
  return createTable(columns, options).rows(rows);
}

test('without a terminal all columns are shown in full, as wide as their widest cell', () => {
  const rows = [
    { id: '1', name: 'プレス' },
    { id: '42', name: 'Ada' },
  ];
  expect(print(rows)).toBe(
    `NAME    ID  LAST REFUSED      OWNER  KIND
プレス  1   long ago, プレス  ada    kind 1
Ada     42  long ago, Ada     ada    kind 2
`,
  );
});

test('at a terminal a column with one value in all rows is printed once, and values are brief', () => {
  const table = createTable(COLUMNS, { width: 100 });
  expect(table.rows(ROWS)).toBe(
    `NAME  ID                                    LAST REFUSED  KIND
ERP   ${ID}0  1d ERP        kind 0
Wiki  ${ID}1  1d Wiki       kind 1
`,
  );
  expect(table.remarks()).toEqual(['In all rows: OWNER ada.']);
});

test('a value that differs on a later page is not reported for all rows', () => {
  const table = createTable(COLUMNS, { width: 100 });
  table.rows(ROWS);
  expect(table.rows([{ id: `${ID}2`, name: 'MES', owner: 'bo' }])).toContain('MES');
  expect(table.remarks()).toEqual([
    'Not shown: OWNER. See all columns with --wide, or some with --columns name,id,owner.',
  ]);
});

test('if not all columns fit, those that are not essential are left out from the right, and named', () => {
  const owners = ROWS.map((row) => ({ ...row, owner: row.name }));
  const table = createTable(COLUMNS, { width: 64 });
  expect(table.rows(owners).split('\n', 1)[0]?.split(/ {2,}/)).toEqual([
    'NAME',
    'ID',
    'LAST REFUSED',
    'OWNER',
  ]);
  expect(table.remarks()).toEqual([
    'Not shown: KIND. See all columns with --wide, or some with --columns name,id,kind.',
  ]);
});

test('if the essential columns do not fit, one moves to a second line, and nothing is cut', () => {
  const rows = ROWS.map((row) => ({ ...row, owner: `${row.name.toLowerCase()}@acme.example` }));
  expect(print(rows, { width: 50 })).toBe(
    `NAME  LAST REFUSED  OWNER              KIND
  ID
ERP   1d ERP        erp@acme.example   kind 0
  ${ID}0
Wiki  1d Wiki       wiki@acme.example  kind 1
  ${ID}1
`,
  );
});

test('a column that the list is filtered by is shown after the first, even with one value in all rows', () => {
  const [titles] = print(ROWS, { width: 80, filtered: ['OWNER'] }).split('\n');
  expect(titles?.split(/ {2,}/)).toEqual(['NAME', 'OWNER', 'ID', 'LAST REFUSED', 'KIND']);
});

test('the chosen columns are shown in the order given; --wide shows all in full', () => {
  expect(print(ROWS, { width: 20, chosen: ['owner', 'name'] })).toBe(
    'OWNER  NAME\nada    ERP\nada    Wiki\n',
  );
  expect(print(ROWS, { width: 20, wide: true })).toBe(print(ROWS));
});

test('no column is cut below the minimum width, and no line is longer than the terminal', () => {
  const columns = COLUMNS.filter(({ folds }) => !folds);
  const rows = [
    { id: '1', name: 'a name that takes a great deal of room', owner: 'ada@acme.example' },
    { id: '2', name: 'プレス工場プレス工場プレス工場', owner: 'bo@acme.example' },
  ];
  for (let width = 8; width < 70; width += 1) {
    const lines = print(rows, { width }, columns).split('\n');
    for (const line of lines) expect(cellsOf(line), `${width}: ${line}`).toBeLessThanOrEqual(width);
    if (width > 16) expect(lines[1]).toMatch(/^a name that tak/);
  }
});

test('control characters in a name are not printed, and invisible ones are made visible', () => {
  for (const [name, printed] of [
    ['red \u001b[31m and\nmore\u202e', 'red \ufffd[31m and\ufffdmore\ufffd'],
    ['robot\u200d', 'robot\ufffd'],
    ['ro\u00adbot', 'ro\ufffdbot'],
    ['robot\u{e0041}', 'robot\ufffd'],
    ['robot\ufe0f', 'robot\ufffd'],
  ] as const) {
    expect(print([{ id: '1', name }], { chosen: ['name'] })).toBe(`NAME\n${printed}\n`);
  }
});

test('colours change nothing but colours', () => {
  const columns: readonly Column<Row>[] = [
    ...COLUMNS.slice(0, 2),
    { title: 'STATE', value: ({ name }) => name, style: () => 'red' },
  ];
  expect(print(ROWS, { inColour: true }, columns)).toContain('\u001b[31mERP\u001b[39m\n');
  for (let width = 1; width < 60; width += 1) {
    const painted = print(ROWS, { width, inColour: true }, columns);
    expect(stripVTControlCharacters(painted), String(width)).toBe(print(ROWS, { width }, columns));
  }
});
