import { expect, it } from 'vitest';
import { parseOptions } from './options.ts';

it('without arguments measures side by side, and writes into docs', () => {
  expect(parseOptions([])).toMatchObject({
    parts: ['comparison'],
    out: 'docs/develop',
    effort: { rounds: 15 },
  });
});

it('measures the named parts in their order, and little of them with --quick', () => {
  const parts = ['growth', 'revocation'];
  expect(parseOptions(['--revocation', '--quick', '--growth'])).toMatchObject({
    parts,
    effort: { rounds: 2 },
  });
});

it('stores as many tokens as it is told, where it is told', () => {
  const { effort, keep } = parseOptions(['--growth-large', '--tokens', '3000000', '--keep', '/data']);
  expect([effort.large.tokens, keep]).toEqual([3_000_000, '/data']);
});

it.each(['--quickly', 'more', '--tokens=many', '--tokens=10'])('refuses %s', (arg) => {
  expect(() => parseOptions([arg])).toThrow(TypeError);
});
