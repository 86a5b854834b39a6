import { expect, test, vi } from 'vitest';
import { readClocks } from './clocks.ts';

test('a pause of the process between the readings of the two clocks is not taken for clocks that disagree', () => {
  const readings = [1000, 1200, 1201, 1202];
  vi.spyOn(performance, 'now').mockImplementation(() => readings.shift() ?? Number.NaN);
  vi.spyOn(Date, 'now').mockReturnValueOnce(50_200).mockReturnValueOnce(50_201);
  expect(readClocks()).toEqual({ monotonic: 1201, wall: 50_201 });
  vi.restoreAllMocks();
});
