import type { Kind } from './palette.ts';

/** The distance of two lines of text, and of a box's text from its edge. */
const LINE = 19;
const PADDING = 10;
/** From the top of a line of text to its baseline. */
const ASCENT = 14;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Shape {
  readonly svg: string;
  readonly bottom: number;
}

/** A shape with edges from which arrows begin. */
export interface Area extends Shape {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface Place {
  readonly x?: number;
  readonly y: number;
  readonly width?: number;
}

/** Escapes text for an element. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function textLine(text: string, { x, y }: Point, name: string): string {
  return `<text${name === '' ? '' : ` class="${name}"`} x="${x}" y="${y}">${escaped(text)}</text>`;
}

/** Draws lines of text, the first one with its top at `y`. */
export function lines(texts: readonly string[], { x, y }: Point, name = 'label'): Shape {
  const svg = texts.map((text, index) => textLine(text, { x, y: y + ASCENT + index * LINE }, name));
  return { svg: svg.join('\n'), bottom: y + texts.length * LINE };
}

/** Draws a box with a title and lines of text below it. It is as high as its text, and by default as wide as the picture. */
export function box(kind: Kind, title: string, texts: readonly string[], place: Place): Area {
  const { x = 8, y, width = 384 } = place;
  const inside = { x: x + PADDING, y: y + PADDING - 2 };
  const bottom = y + 2 * PADDING - 4 + (texts.length + 1) * LINE;
  const svg = [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${bottom - y}" rx="6"/>`,
    lines([title], inside, 'title').svg,
    ...(texts.length === 0 ? [] : [lines(texts, { x: inside.x, y: inside.y + LINE }, '').svg]),
  ];
  return { svg: svg.join('\n'), x, y, width, bottom };
}

/** Draws a dotted frame with a title around shapes, to which it leaves a distance at the bottom. */
export function frame(title: string, inner: readonly Shape[], { x = 8, y, width = 384 }: Place): Area {
  const bottom = Math.max(...inner.map((shape) => shape.bottom)) + PADDING;
  const svg = [
    `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${bottom - y}" rx="6"/>`,
    lines([title], { x: x + PADDING, y: y + 6 }, 'title').svg,
  ];
  return { svg: svg.join('\n'), x, y, width, bottom };
}

interface ArrowStyle {
  /** Lines of text to the right of the arrow. */
  readonly label?: readonly string[];
  readonly dashed?: boolean;
  readonly bothEnds?: boolean;
}

/** Draws an arrow between two points. */
export function arrow(from: Point, to: Point, { label = [], dashed, bothEnds }: ArrowStyle = {}): Shape {
  const middle = { x: Math.max(from.x, to.x) + 9, y: (from.y + to.y - label.length * LINE) / 2 };
  const start = bothEnds ? ' marker-start="url(#head)"' : '';
  const path = `<path class="arrow${dashed ? ' dashed' : ''}" d="M${from.x} ${from.y}L${to.x} ${to.y}"${start} marker-end="url(#head)"/>`;
  const texts = lines(label, middle);
  return {
    svg: label.length === 0 ? path : `${path}\n${texts.svg}`,
    bottom: Math.max(from.y, to.y, label.length === 0 ? 0 : texts.bottom),
  };
}

/** Draws an arrow straight down at `x`, from the lower edge of one shape to the upper edge of another. */
export function down(x: number, from: Shape, to: Area, style: ArrowStyle = {}): Shape {
  return arrow({ x, y: from.bottom + 2 }, { x, y: to.y - 2 }, style);
}

/** Draws an arrow straight up at `x`, from the upper edge of one shape to the lower edge of another. */
export function up(x: number, from: Area, to: Shape, style: ArrowStyle = {}): Shape {
  return arrow({ x, y: from.y - 2 }, { x, y: to.bottom + 2 }, style);
}
