import { GUARDED_ACTIONS } from '@gatehouse/domain/guards';
import { EXTENSIONS } from '@gatehouse/extensions';
import { markdownTable } from './markdown-table.ts';

/** Returns the section of docs/administer/access.md about what the extensions of this installation forbid. */
export function guardsSection(): string {
  const rows = EXTENSIONS.flatMap(({ name, guards = [] }) =>
    guards.flatMap(({ on, refusals }) => refusals.map(({ code, title }) => [on, name, `\`${code}\``, title])),
  );
  const found =
    rows.length === 0
      ? 'No extension of this installation has a guard.'
      : markdownTable(['action', 'extension', 'refusal', 'meaning'], rows);
  return `## What extensions forbid

An extension can [forbid](../extend/guards.md) ${GUARDED_ACTIONS.map((each) => `\`${each}\``).join(', ')}, for some requests. No extension
can forbid that a right ends, such as a revocation.

${found}
`;
}
