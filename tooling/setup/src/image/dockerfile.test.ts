import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

test('the image starts the server with the flags that the server has elsewhere', () => {
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  const flags = JSON.parse(read('apps/server/bin/node-flags.json'));
  expect(JSON.parse(command)).toEqual(['node', ...flags, '/gatehouse/programs/gatehouse-server.js']);
});

test('the image names the version of the repository', () => {
  const [, version] = /image\.version="([^"]+)"/.exec(read('Dockerfile')) ?? [];
  expect(version).toBe(JSON.parse(read('package.json')).version);
});
