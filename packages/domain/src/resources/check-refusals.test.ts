import { expect, test } from 'vitest';
import { checkRefusals } from './check-refusals.ts';

const resource = (name: string, ...codes: readonly string[]) => ({
  name,
  refusals: Object.fromEntries(codes.map((code) => [code, {}])),
});

test('refusals of different codes are fine', () => {
  expect(() => checkRefusals([resource('gauges', 'gauge_broken'), { name: 'presses' }])).not.toThrow();
});

test.each([
  ['Gatehouse', [resource('gauges', 'not_found')]],
  ['Gatehouse', [resource('gauges', 'token_name_taken')]],
  ['Gatehouse', [resource('gauges', 'a_problem')]],
  ['presses', [resource('presses', 'broken'), resource('gauges', 'broken')]],
])('a code that %s has, too, is refused', (owner, resources) => {
  expect(() => checkRefusals(resources, ['a_problem'])).toThrow(`${owner} and gauges have the same refusal`);
});
