/** A number with at least this many digits may be inexact in JavaScript. */
const LONG = /[\d.]{16}/;

/**
 * Parses the text of a `jsonb`. A number that JavaScript cannot represent exactly becomes its text, so that it is not
 * mistaken for the nearest one.
 */
export function parseExactly(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
      ? `number ${context.source}`
      : value,
  );
}

/** Whether the number has exactly the value of the text, which never has an exponent. */
function isExact(value: number, text: string): boolean {
  return plain(value) === trimmed(text);
}

/** Returns the shortest text that is read as this number, without an exponent. */
function plain(value: number): string {
  const [, sign = '', digits = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const point = digits.length + Number(exponent);
  const all = (digits + fraction).padEnd(point, '0');
  const before = point > 0 ? all.slice(0, point) : '0';
  const after = point > 0 ? all.slice(point) : '0'.repeat(-point) + all;
  return trimmed(`${sign}${before}${after && `.${after}`}`);
}

/** Removes zeros that do not change the value. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
