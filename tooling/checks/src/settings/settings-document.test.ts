import { serverSettings } from '@gatehouse/server/settings';
import { expect, test } from 'vitest';
import { listFiles, textOf } from '../document-links.ts';
import { defaultText, settingsDocument, withTables } from './settings-document.ts';

const names = Object.keys(serverSettings);

test('each setting has one row, which also has its _FILE', async () => {
  const page = await settingsDocument();
  const cells = page.split('\n').flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1] ?? []);
  const documented = cells.flatMap((cell) => cell.replaceAll('`', '').split(', '));
  for (const name of names) {
    expect(
      documented.filter((each) => each === name),
      name,
    ).toHaveLength(1);
  }
});

test('a default of the table, set as a variable, is the value without it', () => {
  for (const [name, shape] of Object.entries(serverSettings)) {
    const [, written] = /^`(.*)`$/.exec(defaultText(shape)) ?? [];
    if (written !== undefined)
      expect([name, shape.parse(written)]).toEqual([name, { ok: true, value: shape.unset }]);
    else expect([name, shape.unset ?? []]).toEqual([name, []]);
  }
});

test('commands parse the shapes that the table says they read, and no others', () => {
  const sources = listFiles('apps/cli/src/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const shapes = sources.flatMap((path) =>
    [...textOf(path).matchAll(/\bparseSettings\((\w+),/g)].map(([, shape]) => shape),
  );
  expect([...new Set(shapes)].toSorted()).toEqual([
    'installationSettings',
    'masterKeySettings',
    'opsSettings',
  ]);
});

test('text around the tables stays, and a page without the marks is refused', async () => {
  const page = await settingsDocument();
  const changed = withTables(page, 'A TABLE');
  expect(changed.slice(0, 300)).toBe(page.slice(0, 300));
  expect(changed).toContain('\n\nA TABLE\n\n');
  expect(withTables(changed, 'ANOTHER')).toBe(withTables(page, 'ANOTHER'));
  expect(() => withTables('# Settings\n', '')).toThrow(/needs the line <!-- The tables are generated/);
});
