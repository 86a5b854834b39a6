import { expect, test } from 'vitest';
import { resolveLink } from './resolve-link.ts';

const PAGES = new Map([
  ['README.md', 'index.md'],
  ['docs/operate/keys.md', 'operate/keys.md'],
  ['docs/adr/README.md', 'adr/index.md'],
]);
const FILES = new Set(['docs/operate/alerts.yml', 'packages/http/src/serve.ts']);

test.each([
  ['keys.md', { kind: 'page', href: '/operate/keys.md' }],
  ['../operate/keys.md#replace-a-key', { kind: 'page', href: '/operate/keys.md#replace-a-key' }],
  ['../adr/README.md', { kind: 'page', href: '/adr/index.md' }],
  ['../../README.md#start', { kind: 'page', href: '/index.md#start' }],
  ['#settings', { kind: 'as-written' }],
  ['https://acme.example/a.md', { kind: 'as-written' }],
  ['mailto:ada@acme.example', { kind: 'as-written' }],
  ['alerts.yml', { kind: 'file', path: 'docs/operate/alerts.yml', place: 'operate/alerts.yml' }],
  ['../../packages/http/src/serve.ts', { kind: 'source', path: 'packages/http/src/serve.ts' }],
  // A folder, which has no page.
  ['kubernetes/base', { kind: 'source', path: 'docs/operate/kubernetes/base' }],
])('a link of docs/operate/settings.md to %s', (href, target) => {
  expect(resolveLink(href, 'docs/operate/settings.md', PAGES, (path) => FILES.has(path))).toEqual(target);
});
