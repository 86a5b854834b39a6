import type { CDPSession } from 'playwright-core';

const STYLES = ['display', 'clip-path', 'overflow-x', 'text-overflow'] as const;

type Style = Readonly<Record<(typeof STYLES)[number], string>>;

/** A rectangle in CSS pixels, from the top left of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line of text as a page shows it. */
export interface Line {
  readonly text: string;
  /** The part that can be seen without scrolling. */
  readonly box: Box;
  /** The whole text of this line's node. */
  readonly source: number;
  /**
   * An element that is narrower than the line, if there is one: there the line is cut off, or overlaps its neighbour.
   */
  readonly widerThan: string | undefined;
}

/** How far a line may exceed its element: browsers lay out invisible fractions of a pixel. */
const TOLERANCE = 1;

/**
 * Returns the lines of text that a page shows, in the page's order, as the browser has laid them out. They include
 * texts of the stylesheet, such as the labels of cells, and exclude texts for screen readers.
 */
export async function textLines(session: CDPSession): Promise<readonly Line[]> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', {
    computedStyles: [...STYLES],
  });
  const [document] = documents;
  if (document === undefined) throw new Error('the page has no document');
  const { nodes, layout, textBoxes } = document;
  const said = (index: number | undefined) => strings[index ?? -1] ?? '';

  const elements = new Map<number, { readonly box: Box; readonly style: Style }>();
  layout.nodeIndex.forEach((node, index) => {
    const styles = layout.styles[index] ?? [];
    if (styles.length === 0 || elements.has(node)) return;
    const style = Object.fromEntries(STYLES.map((name, at) => [name, said(styles[at])])) as Style;
    elements.set(node, { box: boxOf(layout.bounds[index]), style });
  });

  const isOpen = (node: number) =>
    nodes.attributes?.[node]?.some((name, at) => at % 2 === 0 && said(name) === 'open');

  /** Checks the elements around a line, from the inside. */
  function place(node: number, whole: Box): Pick<Line, 'box' | 'widerThan'> | undefined {
    let box = whole;
    let widerThan: string | undefined;
    let isSummary = false;
    for (let at = node; at >= 0; at = nodes.parentIndex?.[at] ?? -1) {
      const element = elements.get(at);
      if (element === undefined) continue;
      const { style } = element;
      if (style['clip-path'] !== 'none') return undefined;
      if (style.display === 'inline') continue;
      const name = said(nodes.nodeName?.[at]).toLowerCase();
      // The markers of a list are in its margin, and the browser also lays out the content of closed elements.
      if (name === '::marker' || (name === 'details' && !isSummary && !isOpen(at))) return undefined;
      isSummary ||= name === 'summary';
      if (name === 'input' || isCutOnPurpose(style)) box = clip(box, element.box);
      else if (isWider(box, element.box)) widerThan ??= name;
    }
    return { box, widerThan };
  }

  return textBoxes.layoutIndex.flatMap((source, index) => {
    const start = textBoxes.start[index] ?? 0;
    const text = said(layout.text[source])
      .slice(start, start + (textBoxes.length[index] ?? 0))
      .trim();
    const placed = place(layout.nodeIndex[source] ?? -1, boxOf(textBoxes.bounds[index]));
    // The link that skips the header is above the visible page until it has the focus.
    if (text === '' || placed === undefined || placed.box.bottom <= 0) return [];
    return [{ text, source, ...placed }];
  });
}

const isCutOnPurpose = (style: Style) =>
  ['auto', 'scroll'].includes(style['overflow-x']) || style['text-overflow'] === 'ellipsis';

function boxOf([left = 0, top = 0, width = 0, height = 0]: readonly number[] = []): Box {
  return { left, top, right: left + width, bottom: top + height };
}

const isWider = (box: Box, outer: Box) =>
  outer.left - box.left > TOLERANCE || box.right - outer.right > TOLERANCE;

const clip = (box: Box, { left, right }: Box): Box => ({
  ...box,
  left: Math.max(box.left, left),
  right: Math.min(box.right, right),
});
