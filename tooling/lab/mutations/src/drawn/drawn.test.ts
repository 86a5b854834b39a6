import { describe, expect, test } from 'vitest';
import { ROOT } from '../root.ts';
import { KINDS } from './changes.ts';
import { allMutations, draw, mutationsOf } from './draw.ts';
import { DEPENDENTS, stagesOf } from './stages.ts';

const changed = (text: string) => mutationsOf('a.ts', text).map(({ after }) => after);

describe('the changes of a condition', () => {
  test.each([
    ['if (a) b();', ['if (!(a)) b();']],
    ['const x: number = a ? 1 : 2;', ['const x: number = !(a) ? 1 : 2;']],
    ['while (a()) b();', ['while (!(a())) b();']],
    ['do b(); while (a);', ['do b(); while (!(a));']],
    ['for (let i = 0; i < 3; ) i++;', ['for (let i = 0; !(i < 3); ) i++;', 'for (let i = 0; i <= 3; ) i++;']],
    ['const x = a <= b;', ['const x = a < b;']],
    ['const x = a >= b;', ['const x = a > b;']],
    ['if (a === b) c();', ['if (a !== b) c();']],
    ['if (a !== b) c();', ['if (a === b) c();']],
    ['const x = a && { b };', ['const x = !(a) && { b };', 'const x = a || { b };']],
    [
      'if (a || b) c();',
      ['if (!(a) || b) c();', 'if (!(a || b)) c();', 'if (a && b) c();', 'if (a || !(b)) c();'],
    ],
    ["q.where('id', '=', id);", ["q.where('id', '!=', id);"]],
    ["q.where('end', 'is not', null);", ["q.where('end', 'is', null);"]],
    ['const x = a ?? b; // a < b', []],
    ["say('=');", []],
  ])('%s', (text, expected) => {
    expect(changed(text).sort()).toEqual([...expected].sort());
  });

  test('leave out comments that would no longer be read', () => {
    expect(changed('const x = (a && b) ?? c;')).toEqual([
      'const x = (!(a) && b) ?? c;',
      'const x = (a || b) ?? c;',
    ]);
  });

  test('name the line, and its text before and after', () => {
    expect(mutationsOf('a.ts', 'const a = 1;\n  if (\n    a > b\n  ) c();\n')).toMatchObject([
      { file: 'a.ts', line: 3, kind: 'negated', before: 'a > b', after: '!(a > b)' },
      { file: 'a.ts', line: 3, kind: 'comparison', before: 'a > b', after: 'a >= b' },
    ]);
  });
});

describe('the draw', () => {
  const all = allMutations(ROOT);

  test('is from the shipped sources of five packages alone', () => {
    const files = all.map(({ file }) => file);
    expect(files.filter((file) => /\.test\.ts$|\/testing\//.test(file))).toEqual([]);
    const packages = [
      'apps/server',
      'packages/cache',
      'packages/domain',
      'packages/pages',
      'packages/postgres',
    ];
    expect([...new Set(files.map((file) => file.split('/').slice(0, 2).join('/')))].sort()).toEqual(packages);
    expect(all.length).toBeGreaterThan(1000);
  });

  test('is the same for the same seed, and another for another', () => {
    expect(draw(all, 60, 'a')).toEqual(draw([...all], 60, 'a'));
    expect(draw(all, 60, 'a')).not.toEqual(draw(all, 60, 'b'));
    expect(new Set(draw(all, 60, 'a')).size).toBe(60);
    expect(draw(all, 20, 'a')).toEqual(draw(all, 60, 'a').slice(0, 20));
  });

  test('has changes of every kind', () => {
    const kinds = new Set(draw(all, 200, 'a').map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([...KINDS].sort());
  });
});

test('the tests that cover a file are run in projects that Vitest has: those of packages and the faults', () => {
  const args = stagesOf(ROOT, 'packages/domain/src/text.ts').flatMap((stage) => stage.args);
  const projects = args.filter((_, index) => args[index - 1] === '--project');
  expect(new Set(projects)).toEqual(new Set(['packages/domain', 'faults', ...DEPENDENTS]));
});
