/** Renames the example in its sources, in its three spellings, but for the files that they import and its one export. */
export function renamedSource(source: string, copy: string): string {
  return source
    .split('\n')
    .map((line) => (/from '\.|import\('\./.test(line) ? renamedTypes(line, copy) : renamed(line, copy)))
    .join('\n');
}

const renamed = (line: string, copy: string) =>
  renamedTypes(line, copy)
    .replaceAll(/shift_note(s?)/g, `shift_note$1_${copy}`)
    .replaceAll(/shift-note(s?)/g, `shift-note$1-${copy}`);

const renamedTypes = (line: string, copy: string) =>
  line.replaceAll(/ShiftNote(?=s?\b|[A-Z])/g, `ShiftNote${copy}N`);
