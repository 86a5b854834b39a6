import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('by default the site is built for the root of a host, and not served', () => {
  expect(readOptions([], 'dist/site')).toEqual({ base: '/', folder: 'dist/site', port: undefined });
  expect(readOptions(['--serve'], 'dist/site').port).toBe(8090);
  expect(readOptions(['--base', '/docs/', '--folder', 'x', '--serve', '--port', '0'], 'dist/site')).toEqual({
    base: '/docs/',
    folder: 'x',
    port: 0,
  });
});

test.each([
  [['--base', 'docs'], '--base docs is no path with slashes around it, such as /handbook/.'],
  [['--base', '//acme.example/'], '--base //acme.example/ is no path'],
  [['--port', '70000'], '--port 70000 is no number from 0 to 65535.'],
  [['--sreve'], "Unknown option '--sreve'"],
])('%j is refused, with the usage', (args, message) => {
  expect(() => readOptions(args, 'dist/site')).toThrow(message);
  expect(() => readOptions(args, 'dist/site')).toThrow('npm run docs:site [--');
});
