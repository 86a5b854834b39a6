import { styleText } from 'node:util';
import type { Column, Style } from '@gatehouse/extension-kit/cli';
import type { Streams } from '../streams.ts';

/** Whether to write colours to a stream: only to a terminal with colours, and not if NO_COLOR is set (no-color.org). */
export function takesColour(stream: Streams['stdout']): boolean {
  const { NO_COLOR = '', TERM } = process.env;
  return stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}

/** Returns text with the terminal codes for a style. Call it only if `takesColour` returns true for the stream. */
export function styled(text: string, style: Style): string {
  return text === '' ? text : styleText(style, text, { validateStream: false });
}

const PASSING = new Set(['being_replaced', 'staged', 'verify-only']);

/** The colour of a state: green if good, yellow if temporary, red otherwise. */
export function stateStyle(state: string): Style {
  if (state === 'active') return 'green';
  return PASSING.has(state) ? 'yellow' : 'red';
}

/** The column with the state of a row. */
export function stateColumn<Row>(stateOf: (row: Row) => string): Column<Row> {
  return { title: 'STATE', value: stateOf, essential: true, style: (row) => stateStyle(stateOf(row)) };
}

/** Colours the word `error:` of a message. */
export function markError(message: string, stream: Streams['stdout']): string {
  return takesColour(stream) ? message.replace(/^error:/, styled('error:', 'red')) : message;
}
