import { listFiles } from '@gatehouse/checks/document-links';
import { expect, test } from 'vitest';
import { listPages, placeOf } from './pages.ts';

test.each([
  ['README.md', 'index.md'],
  ['SECURITY.md', 'security.md'],
  ['docs/README.md', 'docs.md'],
  ['docs/adr/README.md', 'adr/index.md'],
  ['docs/operate/identity-providers/README.md', 'operate/identity-providers/index.md'],
  ['docs/operate/keys.md', 'operate/keys.md'],
  ['packages/verifier/README.md', 'packages/verifier.md'],
  ['packages/extension-kit/CHANGELOG.md', 'packages/extension-kit-changelog.md'],
])('%s is %s in the site', (file, place) => {
  expect(placeOf(file)).toBe(place);
});

test('every document is a page, and each has a place of its own', () => {
  const pages = listPages();
  expect([...pages.keys()]).toEqual(expect.arrayContaining([...listFiles('docs/*.md')]));
  expect(new Set(pages.values()).size).toBe(pages.size);
});
