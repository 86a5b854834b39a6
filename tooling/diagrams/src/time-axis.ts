import type { Kind } from './palette.ts';
import { lines, type Shape } from './shapes.ts';

interface Span {
  readonly y: number;
  readonly from: number;
  readonly to: number;
  /** Where the title begins, if not at the beginning of the bar. */
  readonly titleAt?: number;
}

/** A bar that shows from when until when something holds. */
export function bar(kind: Kind, title: string, { y, from, to, titleAt = from }: Span): Shape {
  return {
    svg: [
      `<rect class="${kind}" x="${from}" y="${y}" width="${to - from}" height="32" rx="4"/>`,
      lines([title], { x: titleAt + 10, y: y + 6 }, 'title').svg,
    ].join('\n'),
    bottom: y + 32,
  };
}

/** Marks a moment by a dashed line across the bars, and by its number below them. */
export function moment(number: number, x: number, { top, bottom }: { top: number; bottom: number }): Shape {
  return {
    svg: [
      `<path class="arrow dashed" d="M${x} ${top}V${bottom}"/>`,
      `<circle class="plain" cx="${x}" cy="${bottom + 13}" r="13"/>`,
      lines([String(number)], { x, y: bottom + 4 }, 'title centre').svg,
    ].join('\n'),
    bottom: bottom + 26,
  };
}

/** Explains a moment below the axis: its number, and lines of text. */
export function explanation(number: number, texts: readonly string[], y: number): Shape {
  const explained = lines(texts, { x: 44, y }, '');
  return {
    svg: [
      `<circle class="plain" cx="21" cy="${y + 9}" r="13"/>`,
      lines([String(number)], { x: 21, y }, 'title centre').svg,
      explained.svg,
    ].join('\n'),
    bottom: explained.bottom,
  };
}
