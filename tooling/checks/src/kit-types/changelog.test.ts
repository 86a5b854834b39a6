import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { locationOf } from '../documents.ts';

const read = (path: string) => readFileSync(locationOf(path), 'utf8');

test('each change of the kit’s types has a line in its changelog, the newest first', () => {
  const digest = createHash('sha256').update(read('docs/extend/kit-types.md')).digest('hex').slice(0, 12);
  const [newest = ''] =
    read('packages/extension-kit/CHANGELOG.md').match(/^- [\s\S]+?\(types [0-9a-f]{12}\)$/m) ?? [];
  expect(
    newest,
    `The types of the kit have changed: say in packages/extension-kit/CHANGELOG.md how, in a line "- ... (types ${digest})"`,
  ).toContain(`(types ${digest})`);
});

test('the version of the kit has a heading in its changelog', () => {
  const { version } = JSON.parse(read('packages/extension-kit/package.json'));
  const [newest] = read('packages/extension-kit/CHANGELOG.md').match(/^## .+$/m) ?? [];
  expect(newest).toBe(`## ${version}`);
});
