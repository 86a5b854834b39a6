import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { parseOptions } from './options.ts';

test('without arguments every fault runs in its short size', () => {
  expect(parseOptions([])).toEqual({ size: 'short', names: Object.keys(FAULTS), resume: false });
});

test('faults run in their fixed order, however they are named', () => {
  const { names, size, resume } = parseOptions(['R2', '--full', 'R1', '--resume']);
  expect({ names, size, resume }).toEqual({ names: ['R1', 'R2'], size: 'full', resume: true });
});

test.each([
  [['R99'], 'there is no fault R99: they are R1, '],
  [['--fast'], "Unknown option '--fast'"],
])('%j is refused', (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});
