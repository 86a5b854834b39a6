import encodeQR from 'qr';
import { type Html, html } from '../../html.ts';

/** The width of the empty border that readers need, in modules (ISO/IEC 18004 section 5.3.8). */
const QUIET = 4;

/**
 * Draws a QR code as SVG in the page: no script and no image is loaded. It is black on white in the dark theme, too,
 * because many readers do not read inverted codes.
 */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const size = rows.length;
  const path = rows.flatMap((row, y) =>
    runsOf(row).map(({ x, width }) => `M${x} ${y}h${width}v1h-${width}z`),
  );
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path.join('')}"/></svg>`;
}

/** The black parts of a row, each with its place and its width. */
function runsOf(row: readonly boolean[]) {
  const runs: { readonly x: number; width: number }[] = [];
  for (const [x, isBlack] of row.entries()) {
    const last = runs.at(-1);
    if (!isBlack) continue;
    if (last && last.x + last.width === x) last.width += 1;
    else runs.push({ x, width: 1 });
  }
  return runs;
}
