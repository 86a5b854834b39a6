import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listPages, ROOT } from '../pages.ts';
import { makeNavigation } from './navigation.ts';
import { type Item, linkTo } from './sections.ts';

const PAGES = new Map([
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['README.md', 'index.md'],
  ['docs/README.md', 'docs.md'],
  ['docs/adr/0001-hexagonal-packages.md', 'adr/0001-hexagonal-packages.md'],
  ['docs/adr/README.md', 'adr/index.md'],
  ['docs/develop/security.md', 'develop/security.md'],
  ['docs/develop/security/users.md', 'develop/security/users.md'],
  ['docs/use/verify-tokens.md', 'use/verify-tokens.md'],
  ['packages/client/README.md', 'packages/client.md'],
]);
const TEXTS: Readonly<Record<string, string>> = {
  'CHANGELOG.md': '# Changes\n',
  'README.md': '# Gatehouse\n',
  'docs/README.md': `# Documentation

[Use](#use), [the README](../README.md)

## Use

| page | question |
|---|---|
| [Typed \`client\`](../packages/client/README.md) | How? See [tokens](use/verify-tokens.md#a) |
| [Tokens](use/verify-tokens.md) | Which? |

## Develop

Begin with [CONTRIBUTING](../CONTRIBUTING.md).

| page | question |
|---|---|
| [Security](develop/security.md) | Which? |
| [users](develop/security/users.md), [gone](develop/gone.md) | Which? |

## Decisions

[Decisions](adr/README.md) has all.
`,
  'docs/adr/README.md':
    '# Decisions\n\n## Structure\n\n- [1](0001-hexagonal-packages.md): one package,\n  and *more*\n',
};

test('the bar and the lists are those of docs/README.md', () => {
  const { nav, sidebar } = makeNavigation((file) => TEXTS[file] ?? '', PAGES);
  expect(nav).toEqual([
    { text: 'Use', link: '/packages/client', activeMatch: '^(?:/packages/|/use/)' },
    { text: 'Develop', link: '/contributing', activeMatch: '^(?:/contributing|/develop/)' },
    { text: 'Decisions', link: '/adr/', activeMatch: '^(?:/adr/)' },
  ]);
  expect(sidebar['/use/']).toEqual([
    {
      text: 'Use',
      items: [
        { text: 'Typed client', link: '/packages/client' },
        { text: 'Tokens', link: '/use/verify-tokens' },
      ],
    },
  ]);
  expect(sidebar['/packages/']).toEqual(sidebar['/use/']);
  const users = [{ text: 'Users', link: '/develop/security/users' }];
  expect(sidebar['/develop/']?.[0]?.items).toEqual([
    { text: 'Contributing', link: '/contributing' },
    { text: 'Security', link: '/develop/security', items: users, collapsed: true },
  ]);
  expect(sidebar['/adr/']).toEqual([
    { text: 'Decisions', items: [{ text: 'Decisions', link: '/adr/' }] },
    {
      text: 'Structure',
      items: [{ text: '1. One package, and more', link: '/adr/0001-hexagonal-packages' }],
    },
  ]);
  expect(sidebar['/']?.map(({ items = [] }) => items.map(({ link }) => link))).toEqual([
    ['/', '/docs', '/changelog'],
    ['/packages/client', '/contributing', '/adr/'],
  ]);
});

test('each document stands in the list beside its own page', () => {
  const pages = listPages();
  const { sidebar } = makeNavigation((file) => readFileSync(ROOT + file, 'utf8'), pages);
  const links = (items: readonly Item[]): readonly (string | undefined)[] =>
    items.flatMap(({ link, items: below = [] }) => [link, ...links(below)]);
  const missing = [...pages]
    .filter(([file]) => file.startsWith('docs/'))
    .map(([, place]) => linkTo(place) ?? '')
    .filter(
      (link) => !links(sidebar[link.match(/^\/[^/]+\//)?.[0] ?? link] ?? sidebar['/'] ?? []).includes(link),
    );
  expect(missing).toEqual([]);
});
