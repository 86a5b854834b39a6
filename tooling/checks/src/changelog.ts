/** A section of the changelog. */
export interface ReleaseNotes {
  readonly version: string;
  /** The day of the release. */
  readonly date: string;
  readonly text: string;
}

const HEADING = /^## \[(?<version>\d+\.\d+\.\d+)\] - (?<date>\d{4}-\d{2}-\d{2})$/gm;

/** Returns the sections of a changelog in their order. */
export function releaseNotesIn(changelog: string): readonly ReleaseNotes[] {
  const headings = [...changelog.matchAll(HEADING)];
  return headings.map(({ index, groups }, at) => ({
    version: groups?.version ?? '',
    date: groups?.date ?? '',
    text: changelog.slice(index, headings[at + 1]?.index),
  }));
}

/** The parts that a section may have, in this order. `Breaking` is not in Keep a Changelog, and stands before its parts. */
const PARTS = ['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** Returns what is wrong with the order of sections and of their parts. */
export function disorderIn(notes: readonly ReleaseNotes[]): readonly string[] {
  const wrong = notes.flatMap(({ version, text }) => {
    const parts = Array.from(text.matchAll(/^### (.+)$/gm), ([, part = '']) => part);
    const places = parts.map((part) => PARTS.indexOf(part));
    const isOrdered = places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1));
    return isOrdered ? [] : [`${version}: the parts must be some of ${PARTS.join(', ')}, in this order`];
  });
  for (const [at, { version, date }] of notes.entries()) {
    const older = notes[at + 1];
    if (older === undefined) continue;
    if (version.localeCompare(older.version, 'en', { numeric: true }) <= 0)
      wrong.push(`${version} must stand below ${older.version}`);
    if (date < older.date) wrong.push(`${version} is dated before ${older.version}`);
  }
  return wrong;
}
