import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { locationOf } from '../documents.ts';

const read = (path: string) => readFileSync(locationOf(path), 'utf8');

/** Digests the declarations without their comments: other words change nothing for an extension. */
function digestOf(page: string): string {
  const blocks = page.match(/^```ts$[\s\S]*?^```$/gm) ?? [];
  const types = blocks.join('\n').replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
  return createHash('sha256').update(types).digest('hex').slice(0, 12);
}

test('each change of the kit’s types has a line in its changelog, the newest first', () => {
  const digest = digestOf(read('docs/extend/kit-types.md'));
  const [newest = ''] =
    read('packages/extension-kit/CHANGELOG.md').match(/^- [\s\S]+?\(types [0-9a-f]{12}\)$/m) ?? [];
  expect(
    newest,
    `The types of the kit have changed: say in packages/extension-kit/CHANGELOG.md how, in a line "- ... (types ${digest})"`,
  ).toContain(`(types ${digest})`);
});

test('other words in a comment need no line', () => {
  const page = (comment: string) =>
    `# Types\n\`\`\`ts\n${comment}export interface Actor {\n  id: number;\n}\n\`\`\`\n`;
  const digest = digestOf(page(''));
  expect(digestOf(page('/** Who acts. */\n'))).toBe(digest);
  expect(digestOf(page('/**\n * Who acts,\n * and when.\n */\n'))).toBe(digest);
  expect(digestOf(page('').replace('number', 'string'))).not.toBe(digest);
});

test('the version of the kit has a heading in its changelog', () => {
  const { version } = JSON.parse(read('packages/extension-kit/package.json'));
  const [newest] = read('packages/extension-kit/CHANGELOG.md').match(/^## .+$/m) ?? [];
  expect(newest).toBe(`## ${version}`);
});
