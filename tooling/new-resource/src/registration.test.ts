import { expect, test } from 'vitest';
import { LIST, linesOf, MANIFEST, registered, withoutEntries } from './registration.ts';
import { read } from './workspace.ts';

const NAMES = { one: 'work-order', several: 'work-orders' };

test('what a resource adds to files that were there is what is taken out, with all other extensions', () => {
  const [list, manifest] = [...registered(NAMES).values()];
  const { taken, ...texts } = withoutEntries(list ?? '', manifest ?? '');
  expect(taken).toContain('@gatehouse/work-orders');
  const alone = withoutEntries(read(LIST), read(MANIFEST));
  expect(texts).toEqual({ list: alone.list, manifest: alone.manifest });
  expect(texts.list).toContain('EXTENSIONS: readonly Extension[] = [];');
  expect(texts.list).not.toContain('work-orders');
  expect(linesOf(NAMES)[MANIFEST]).toBe('"@gatehouse/work-orders": "workspace:*"');
});

test('an extension that is installed by a path is taken out, too', () => {
  const ofPath = read(MANIFEST).replace(
    '"dependencies": {\n',
    '$&    "@acme/tool-loans": "file:../tool-loans.tgz",\n',
  );
  const list = `import { toolLoans } from '@acme/tool-loans';\n${read(LIST).replace('= [', '= [toolLoans, ')}`;
  const { taken, list: left, manifest } = withoutEntries(list, ofPath);
  expect(taken).toContain('@acme/tool-loans');
  expect(left + manifest).not.toMatch(/tool-?loans/i);
});
