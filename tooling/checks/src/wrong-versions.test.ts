import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locationOf } from './documents.ts';
import { wrongVersions } from './wrong-versions.ts';

test('all packages, the image and the documents name one version, and kit and domain another', () => {
  expect(wrongVersions(fileURLToPath(locationOf('.')))).toEqual([]);
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-versions-'));
  for (const [path, text] of Object.entries(REPOSITORY)) write(path, text);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const KUBERNETES = 'docs/operate/kubernetes/overlays/example/kustomization.yaml';
const REPOSITORY = {
  'package.json': '{ "version": "2.3.0" }',
  'packages/domain/package.json': '{ "version": "1.4.0" }',
  'packages/extension-kit/package.json': '{ "version": "1.4.0" }',
  'packages/client/package.json': '{ "version": "2.3.0" }',
  'packages/client/README.md':
    'Install gatehouse-2.3.0.tgz, gatehouse-client-2.3.0.tgz and gatehouse-extension-kit-1.4.0.tgz.',
  'docs/adr/README.md': 'At that time it was gatehouse-1.0.0.tgz.',
  Dockerfile: 'LABEL org.opencontainers.image.version="2.3.0"',
  [KUBERNETES]: 'newTag: 2.3.0',
};

test('versions that agree are right', () => {
  expect(wrongVersions(root)).toEqual([]);
});

test.each([
  ['package.json', '{ "version": "2.4.0" }', 5],
  ['packages/client/package.json', '{ "version": "2.2.0" }', 1],
  ['packages/domain/package.json', '{ "version": "2.3.0" }', 1],
  ['packages/client/README.md', 'Install gatehouse-client-2.2.0.tgz.', 1],
  ['packages/client/README.md', 'Install gatehouse-domain-2.3.0.tgz.', 1],
  ['Dockerfile', 'FROM scratch', 1],
  [KUBERNETES, 'newTag: 2.2.0', 1],
])('a version that differs is found: %s, %s', (path, text, count) => {
  write(path, text);
  expect(wrongVersions(root)).toHaveLength(count);
});
