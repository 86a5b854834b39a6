import { expect, it } from 'vitest';
import { parseOptions } from './options.ts';

it('without arguments measures side by side, and writes into docs', () => {
  expect(parseOptions([])).toMatchObject({ parts: ['comparison'], out: 'docs', effort: { rounds: 15 } });
});

it('measures the named parts in their order, and little of them with --quick', () => {
  const parts = ['growth', 'revocation'];
  expect(parseOptions(['--revocation', '--quick', '--growth'])).toMatchObject({
    parts,
    effort: { rounds: 2 },
  });
});

it.each(['--quickly', 'more'])('refuses %s', (arg) => {
  expect(() => parseOptions([arg])).toThrow(TypeError);
});
