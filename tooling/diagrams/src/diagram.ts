import { stylesheet } from './palette.ts';
import { escaped, type Shape } from './shapes.ts';

/** The width of every diagram in its own units. A text of 15 units is 12 pixels high in a picture of 320 pixels. */
export const WIDTH = 400;

const MARGIN = 8;

export interface Diagram {
  /** The name of the file in docs/diagrams, without `.svg`. */
  readonly name: string;
  readonly title: string;
  /** Says in words everything that the picture shows. Pages have it as the alternative text. */
  readonly text: string;
  readonly shapes: readonly Shape[];
}

/** Returns a diagram as the text of an SVG file, for both themes. Its height follows from its shapes. */
export function printDiagram({ title, text, shapes }: Diagram): string {
  const height = Math.max(...shapes.map((shape) => shape.bottom)) + MARGIN;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title" aria-describedby="text">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="text">${escaped(text)}</desc>`,
    `<style>\n${stylesheet()}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="6" markerHeight="6" orient="auto-start-reverse"><path class="head" d="M0 0L10 5L0 10z"/></marker></defs>',
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    ...shapes.map((shape) => shape.svg),
    '</svg>',
  ].join('\n')}\n`;
}
