import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('a release is made with --dry-run, of a checkout without changes unless --allow-dirty', () => {
  expect(parseOptions(['--dry-run'])).toEqual({ kind: 'make', mayBeDirty: false });
  expect(parseOptions(['--dry-run', '--allow-dirty'])).toEqual({ kind: 'make', mayBeDirty: true });
});

test('a release is verified by its folder', () => {
  expect(parseOptions(['--verify', 'dist/release'])).toEqual({ kind: 'verify', folder: 'dist/release' });
});

test.each([
  [[], /^Publishing is not supported\. Run "npm run release -- --dry-run", .* docs\/develop\/releasing\.md /],
  [['--publish'], /'--publish'.*The options are --dry-run, --allow-dirty, and --verify FOLDER\.$/],
  [['--verify'], /The options are/],
  [['--verify', 'x', '--dry-run'], /^--verify takes no other option$/],
])('%j is refused, with what is right', (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});
