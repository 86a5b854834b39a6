import type { Page } from 'playwright-core';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in the units of the drawing. */
interface Area extends Point {
  readonly width: number;
  readonly height: number;
}

/** The members of SVG elements that are read in the browser. */
interface Drawn {
  readonly textContent: string;
  getBBox(): Area;
  getTotalLength(): number;
  getPointAtLength(length: number): Point;
}

/** The room above and below the letters of a line, in the units of the drawing. Consecutive lines share it. */
const FREE = 3;

/**
 * Returns the texts of the SVG on a page that are wider than their box or the picture, that overlap each other, or that
 * an arrow crosses; empty if there are none.
 */
export async function findDrawingFaults(page: Page): Promise<readonly string[]> {
  const texts = await page.locator('svg text').evaluateAll((nodes: readonly Drawn[]) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBBox();
      return { text: node.textContent, x, y, width, height };
    }),
  );
  const boxes = await page.locator('svg rect').evaluateAll((nodes: readonly Drawn[]) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBBox();
      return { x, y, width, height };
    }),
  );
  const arrows = await page.locator('svg path.arrow').evaluateAll((nodes: readonly Drawn[]) =>
    nodes.flatMap((node) =>
      Array.from({ length: Math.ceil(node.getTotalLength()) }, (_, at) => {
        const { x, y } = node.getPointAtLength(at);
        return { x, y };
      }),
    ),
  );
  const letters = texts.map((each) => ({ ...each, y: each.y + FREE, height: each.height - 2 * FREE }));
  return letters.flatMap((text, index) => [
    ...boxes
      .filter((box) => has(box, text) && !has(box, { x: text.x + text.width, y: text.y + text.height }))
      .map(() => `"${text.text}" is wider than its box`),
    ...letters
      .slice(index + 1)
      .filter((other) => overlap(text, other))
      .map((other) => `"${text.text}" overlaps "${other.text}"`),
    ...(arrows.some((point) => has(text, point)) ? [`an arrow crosses "${text.text}"`] : []),
  ]);
}

function has(area: Area, { x, y }: Point): boolean {
  return x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height;
}

function overlap(one: Area, other: Area): boolean {
  const across = one.x < other.x + other.width && other.x < one.x + one.width;
  return across && one.y < other.y + other.height && other.y < one.y + one.height;
}
