import { describe, expect, it } from 'vitest';
import { barsTable, isHeld } from './bars.ts';
import { barChart } from './chart.ts';
import { withSection } from './document.ts';
import { figure, markdownTable, megabytes } from './markdown.ts';

it('a table has its first column on the left and its figures on the right', () => {
  expect(markdownTable(['who', 'µs'], [['ours', '20']])).toBe('| who | µs |\n| --- | ---: |\n| ours | 20 |');
});

it('figures have three significant digits', () => {
  expect([0.12345, 1, 12.345, 1234.5, 2_108_000].map(figure)).toEqual([
    '0.123',
    '1',
    '12.3',
    '1,230',
    '2,110,000',
  ]);
  expect(megabytes(108_400_000)).toBe('108');
});

describe('a bar', () => {
  const bar = { what: 'CPU', limit: 1.6, is: 'at most', measured: 1.6, unit: 'x' } as const;

  it('holds at its limit, from either side', () => {
    expect(isHeld(bar)).toBe(true);
    expect(isHeld({ ...bar, measured: 1.61 })).toBe(false);
    expect(isHeld({ ...bar, is: 'at least' })).toBe(true);
    expect(isHeld({ ...bar, is: 'at least', measured: 1.59 })).toBe(false);
  });

  it('that was missed stands out', () => {
    expect(barsTable([bar])).toContain('| at most 1.6 x | 1.6 x | held |');
    expect(barsTable([{ ...bar, measured: 32 }])).toContain('| at most 1.6 x | 32 x | **missed** |');
  });

  it('that could not be measured does not hold', () => {
    expect(isHeld({ ...bar, measured: Number.NaN })).toBe(false);
  });

  it('is judged by the median of its rounds, and shows the others and the goal', () => {
    const rounds = { ...bar, goal: 1.4, measured: { low: 1.4, middle: 1.5, high: 1.7 } };
    expect(isHeld(rounds)).toBe(true);
    expect(isHeld({ ...rounds, limit: 1.45 })).toBe(false);
    expect(barsTable([rounds])).toContain('| at most 1.6 x (goal 1.4) | 1.5 x (1.4–1.7) | held |');
  });
});

describe('the document', () => {
  const first = withSection(undefined, 'revocation', '## A revoked token\n\nnever');

  it('has the measurements, after the commands that repeat them', () => {
    expect(first).toMatch(/^# Benchmarks\n[\s\S]*npm run bench[\s\S]*## A revoked token\n\nnever\n$/);
  });

  it('keeps the other parts when one is replaced, in a fixed order', () => {
    const both = withSection(first, 'comparison', '## Side by side\n\nfast');
    expect(both.indexOf('fast')).toBeLessThan(both.indexOf('never'));
    const again = withSection(both, 'comparison', '## Side by side\n\nfaster');
    expect(again).toBe(both.replace('fast\n', 'faster\n'));
  });
});

describe('the chart', () => {
  const rows = [
    { label: 'bare node:http', value: 1, ours: false },
    { label: 'Gatehouse & caches', value: 1.42, ours: true },
    { label: 'Better Auth', value: 135.2, ours: false },
  ];
  const chart = { title: 'CPU', axis: 'times bare', from: 1, unit: 'x', rows };

  it('is an SVG with each contestant and its value', async () => {
    const svg = await barChart(chart);
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>$/);
    for (const text of ['bare node:http', 'Gatehouse &amp; caches', '1 x', '1.42 x', '135 x']) {
      expect(svg).toContain(`>${text}</text>`);
    }
  });

  it('is the same for the same figures', async () => {
    expect(await barChart(chart)).toBe(await barChart(chart));
  });
});
