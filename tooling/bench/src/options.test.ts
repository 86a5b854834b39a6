import { expect, it } from 'vitest';
import { parseOptions } from './options.ts';

it('without arguments measures side by side, and writes into docs', () => {
  expect(parseOptions([])).toMatchObject({ parts: ['comparison'], out: 'docs', effort: { rounds: 5 } });
});

it('takes numbers of rounds and seconds, with --quick too', () => {
  expect(parseOptions(['--quick', '--rounds', '7', '--seconds', '0.2']).effort).toMatchObject({
    rounds: 7,
    seconds: 0.2,
    revocations: 20,
  });
});

it.each([
  ['--rounds', '0'],
  ['--rounds', '1.5'],
  ['--seconds', '-1'],
  ['--seconds', 'soon'],
  ['--quickly', ''],
  ['', 'more'],
])('refuses %s %s', (...args) => {
  expect(() => parseOptions(args.filter((arg) => arg !== ''))).toThrow(TypeError);
});
