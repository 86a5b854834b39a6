import type { Names } from './names.ts';
import type { Plan } from './plan.ts';
import { linesOf } from './registration.ts';
import { folderOf } from './workspace.ts';

/** The files to change in the copy, from the folder of the package. */
export function placesOf({ one }: Names): Readonly<Record<string, string>> {
  return {
    [`src/domain/${one}.ts`]: 'its fields, and how they are parsed',
    'src/domain/rules.ts': 'who may do what; the words of scopes and of the audit log are in src/index.ts',
    'src/postgres/migrations/0001-init.ts': `its table; then schema.ts and ${one}-repository.ts beside the folder`,
    'src/http/routes.ts': 'its addresses, and what they answer',
    'src/cli/index.ts': `its commands; then ${one}-view.ts beside it`,
    [`testing/${one}-repository-contract.ts`]: 'what every store of it promises; then the store in memory',
  };
}

/** Says what is made, and what to do next. */
export function reportOf({ names, made, changed }: Plan): string {
  const lines = linesOf(names);
  const places = Object.entries(placesOf(names)).map(
    ([path, what], index) => `  ${index + 1}. ${path}: ${what}`,
  );
  return [
    `${names.one}, several ${names.several}, of an organization`,
    '',
    ...[...made.keys()].map((path) => `  new      ${path}`),
    ...[...changed.keys()].map((path) => `  changed  ${path}: ${lines[path]}`),
    '  changed  pnpm-lock.yaml, docs/administer/access.md, docs/administer/cli.md: by command',
    '',
    `Make it your own, in ${folderOf(names.several)}:`,
    ...places,
    '',
    'Then ./gatehouse migrate, which installs its tables, and npm test. The guide is docs/extend/resource.md.',
  ].join('\n');
}
