import { readdirSync, readFileSync } from 'node:fs';
import { pathOf } from './root.ts';

/** The pages with the requirements, from the root of the repository. */
const SECURITY_PAGES = 'docs/develop/security';

/** The generated page with the results of the mutations. */
export const MUTATIONS_PAGE = `${SECURITY_PAGES}/mutations.md`;

/** A link to a test. */
export interface NamedTest {
  /** The title in the source, with placeholders such as `%s`. */
  readonly title: string;
  /** The path from the root: a test file, or a contract suite that test files run. */
  readonly path: string;
}

/** A row of a table in `docs/develop/security`. */
export interface Requirement {
  readonly number: number;
  readonly text: string;
  readonly tests: readonly NamedTest[];
  /** Items of the ASVS. */
  readonly items: readonly string[];
}

/** Parses the rows of the tables, ordered by number: requirement, links to tests by their titles, and items of the ASVS. */
export function readRequirements(): readonly Requirement[] {
  const files = readdirSync(pathOf(SECURITY_PAGES)).map((file) => `${SECURITY_PAGES}/${file}`);
  return files
    .filter((file) => file !== MUTATIONS_PAGE)
    .flatMap((file) => readFileSync(pathOf(file), 'utf8').split('\n'))
    .filter((line) => /^\| \d+ \|.*\]\(/.test(line))
    .map((line) => {
      const [, number = '', text = '', tests = '', items = ''] = line.split('|').map((cell) => cell.trim());
      const links = [...tests.matchAll(/\[([^\]]+)\]\((?:\.\.\/)+([^)]+)\)/g)];
      return {
        number: Number(number),
        text,
        tests: links.map(([, title = '', path = '']) => ({ title, path })),
        items: items === '' ? [] : items.split(', '),
      };
    })
    .toSorted((one, other) => one.number - other.number);
}
