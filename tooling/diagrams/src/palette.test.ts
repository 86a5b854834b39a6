import { describe, expect, test } from 'vitest';
import { KINDS, stylesheet, THEMES } from './palette.ts';

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours (WCAG 2.2), from 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('black on white has the contrast 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

describe.each(Object.entries(THEMES))('in the %s theme', (_, { page, ink, quiet, fills, lines }) => {
  test.each(KINDS)('text on the fill of %s has a contrast of 4.5, and its line one of 3', (kind) => {
    expect(contrast(ink, fills[kind])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(lines[kind], page)).toBeGreaterThanOrEqual(3);
  });

  test('text on the page has a contrast of 4.5', () => {
    expect(contrast(ink, page)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(quiet, page)).toBeGreaterThanOrEqual(4.5);
  });
});

test('each variable has a value in both themes, and every colour is a variable', () => {
  const [light = '', dark = '', ...rules] = stylesheet().split('\n');
  const used = new Set(rules.join('\n').match(/(?<=var\()--[\w-]+/g));
  expect([...used].toSorted()).toEqual(light.match(/--[\w-]+(?=:)/g)?.toSorted());
  expect([...used].toSorted()).toEqual(dark.match(/--[\w-]+(?=:)/g)?.toSorted());
  expect(rules.join('\n')).not.toMatch(/#[0-9a-f]{6}/);
});
