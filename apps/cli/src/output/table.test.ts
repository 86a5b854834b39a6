import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'fast-string-truncated-width';
import { expect, test } from 'vitest';
import { type Column, createTable, formatTable } from './table.ts';

interface Row {
  readonly id: string;
  readonly name: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'END', value: () => 'end' },
];

test('columns are as wide as their widest cell, in cells of the terminal', () => {
  const table = formatTable(COLUMNS, [
    { id: '1', name: 'プレス' },
    { id: '42', name: 'Ada' },
  ]);
  expect(table).toBe('ID  NAME    END\n1   プレス  end\n42  Ada     end\n');
});

test('where the terminal is too narrow, a name is cut and an id is not', () => {
  const rows = [{ id: '123456789012', name: 'a name that takes much room' }];
  expect(formatTable(COLUMNS, rows, { width: 30 })).toContain('123456789012  a name tha…  end\n');
});

test('no line is longer than the terminal, however narrow', () => {
  const rows = [{ id: '123456789012', name: 'プレス工場プレス工場' }];
  for (let width = 1; width < 50; width += 1) {
    for (const line of formatTable(COLUMNS, rows, { width }).split('\n')) {
      expect(stringWidth(line).width, `${width}: ${line}`).toBeLessThanOrEqual(width);
    }
  }
});

test('what a name holds does nothing to the terminal', () => {
  const rows = [{ id: '1', name: 'red \u001b[31m and\nmore\u202e' }];
  expect(formatTable(COLUMNS, rows)).toContain('red \ufffd[31m and\ufffdmore\ufffd');
});

test('a name with a character that does not show looks different from the name without it', () => {
  const rows = ['robot', 'robot\u200d', 'ro\u00adbot', 'robot\u{e0041}', 'robot\ufe0f'].map((name) => ({
    id: '1',
    name,
  }));
  expect(formatTable(COLUMNS, rows)).toBe(
    'ID  NAME    END\n1   robot   end\n1   robot\ufffd  end\n1   ro\ufffdbot  end\n1   robot\ufffd  end\n1   robot\ufffd  end\n',
  );
});

test('colours change nothing but colours, wherever the line is cut', () => {
  const columns: readonly Column<Row>[] = [
    ...COLUMNS.slice(0, 2),
    { title: 'STATE', value: () => 'revoked', style: () => 'red' },
    { title: 'END', value: () => 'end' },
  ];
  const rows = [
    { id: '1', name: 'プレス' },
    { id: '42', name: 'a name that takes much room' },
  ];
  expect(formatTable(columns, rows, { inColour: true })).toContain('\u001b[31mrevoked\u001b[39m  end\n');
  for (let width = 1; width < 60; width += 1) {
    const painted = formatTable(columns, rows, { width, inColour: true });
    expect(stripVTControlCharacters(painted), String(width)).toBe(formatTable(columns, rows, { width }));
  }
});

test('on a terminal a later row is cut to the columns, and no line is longer than it', () => {
  const { rows } = createTable(COLUMNS, { width: 24 });
  expect(rows([{ id: '1', name: 'a name' }])).toBe('ID  NAME    END\n1   a name  end\n');
  expect(rows([{ id: '2', name: 'a longer name' }])).toBe('2   a lon…  end\n');
  for (const line of rows([{ id: '3'.repeat(30), name: 'x' }]).split('\n')) {
    expect(stringWidth(line).width).toBeLessThanOrEqual(24);
  }
});
