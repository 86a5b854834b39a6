import { readFileSync } from 'node:fs';
import { pathOf } from './root.ts';

/** The document of the requirements, from the root of the repository. */
export const SECURITY_DOCUMENT = 'docs/security.md';

/** A link to a test. */
export interface NamedTest {
  /** The title in the source, with placeholders such as `%s`. */
  readonly title: string;
  /** The path from the root: a test file, or a contract suite that test files run. */
  readonly path: string;
}

/** A row of the table in docs/security.md. */
export interface Requirement {
  readonly number: number;
  readonly text: string;
  readonly tests: readonly NamedTest[];
  /** Items of the ASVS. */
  readonly items: readonly string[];
}

/** Parses the rows of the table: a number, the requirement, links to tests by their titles, and items of the ASVS. */
export function readRequirements(): readonly Requirement[] {
  return readFileSync(pathOf(SECURITY_DOCUMENT), 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ \|.*\]\(/.test(line))
    .map((line) => {
      const [, number = '', text = '', tests = '', items = ''] = line.split('|').map((cell) => cell.trim());
      const links = [...tests.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];
      return {
        number: Number(number),
        text,
        tests: links.map(([, title = '', path = '']) => ({ title, path })),
        items: items === '' ? [] : items.split(', '),
      };
    });
}
