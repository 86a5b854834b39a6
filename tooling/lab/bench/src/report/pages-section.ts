import type { Pages } from '../parts/pages.ts';
import { atMost, barsTable } from './bars.ts';
import { figure, markdownTable } from './markdown.ts';

export function pagesSection({ stored, pages }: Pages): string {
  const [few = 0, many = 0] = stored;
  const total = (index: number) =>
    pages.reduce((sum, { buffers }) => sum + (buffers[index] ?? Number.NaN), 0);
  return `## Pages

The table counts the 8 KiB database pages that PostgreSQL reads for each web page of an admin. The admin's account has a hundred of the stored tokens.

${markdownTable(
  ['page', 'kB of HTML', ...stored.map((count) => `${count.toLocaleString('en')} tokens stored`)],
  pages.map(({ path, bytes, buffers }) => [`\`${path}\``, figure(bytes / 1000), ...buffers.map(figure)]),
)}

${barsTable([
  atMost(
    `all pages together, ${many.toLocaleString('en')} stored, to ${few.toLocaleString('en')}`,
    1.2,
    'x',
    total(1) / total(0),
  ),
])}`;
}
