import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type Style = 'dim' | 'green' | 'yellow' | 'red';

/** Whether a stream is to get colours: a terminal that knows them, of somebody who wants them (no-color.org). */
export function takesColour(stream: Writable & { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR = '', TERM } = process.env;
  return stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}

/** Text as a terminal shows it in this style. Whoever calls has asked whether it does. */
export function styled(text: string, style: Style): string {
  return text === '' ? text : styleText(style, text, { validateStream: false });
}

const GOOD = new Set(['active']);
const PASSING = new Set(['being_replaced', 'staged', 'verify-only']);

/** How the state of a thing is shown: what is good, what is on its way, and the rest. */
export function stateStyle(state: string): Style {
  if (GOOD.has(state)) return 'green';
  return PASSING.has(state) ? 'yellow' : 'red';
}

/** An error's message, so that it is seen among what else was said. */
export function markError(message: string, stream: Writable & { readonly isTTY?: boolean }): string {
  return takesColour(stream) ? message.replace(/^error:/, styled('error:', 'red')) : message;
}
