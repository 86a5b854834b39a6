import type { Page } from 'playwright-core';
import { type Box, type Line, textLines } from './text-lines.ts';

/** How far two lines may overlap, in CSS pixels across: letters have some room around them. */
const TOLERANCE = 1;

/**
 * Returns the lines of text on a page that overlap, are cut off, or are wider than their element; empty if there are
 * none.
 */
export async function findTextFaults(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const lines = await textLines(session);
  await session.detach();
  return lines.flatMap((line, index) => [
    ...(line.widerThan === undefined ? [] : [`${shown(line)} is wider than its ${line.widerThan}`]),
    ...lines
      .slice(index + 1)
      .filter((other) => other.source !== line.source && isOver(line.box, other.box))
      .map((other) => `${shown(line)} overlaps ${shown(other)}`),
  ]);
}

const shown = ({ text }: Line) => JSON.stringify(text);

function isOver(one: Box, other: Box): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  // Consecutive lines share the part of the font's height that letters leave free.
  const free = Math.min(one.bottom - one.top, other.bottom - other.top) / 4;
  return width > TOLERANCE && height > free;
}
