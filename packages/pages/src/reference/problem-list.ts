import { PROBLEMS, type ProblemName } from '@gatehouse/extension-kit/http';
import { table } from '../elements/table.ts';
import { type Html, html } from '../html.ts';
import { ADVICE, type Advice } from './advice.ts';
import { codeBlock, marked } from './code.ts';
import type { Description } from './description.ts';
import { exampleOf } from './schema.ts';

const ADVICE_BY_TYPE: ReadonlyMap<string, Advice> = new Map(
  Object.entries(PROBLEMS).map(([name, { type }]) => [type, ADVICE[name as ProblemName]]),
);

const URN = 'urn:gatehouse:problem:';

/** Returns the `id` attribute of a problem's section, to which links on the page lead. */
export const problemAnchor = (type: string): string => `problem-${type.slice(URN.length)}`;

/** Returns the problems of the document, and the problems that no operation names, such as a malformed request. */
function problemsOf({ components }: Description) {
  const described = Object.values(components.schemas)
    .map(({ properties = {} }) => properties)
    .filter(({ type }) => typeof type?.const === 'string' && type.const.startsWith(URN))
    .map(({ type, title, status }) => ({
      type: String(type?.const),
      title: String(title?.const),
      status: Number(status?.const),
    }));
  const byType = new Map(
    [...Object.values(PROBLEMS), ...described].map((problem) => [problem.type, problem]),
  );
  return [...byType.values()].toSorted((one, other) => one.status - other.status);
}

/** Two problem documents as a server sends them. The second one names what is wrong with the input. */
const EXAMPLES = [PROBLEMS.not_found.type, PROBLEMS.invalid_input.type];

/**
 * Lists the problems in one table, each with its meaning and with advice. For a problem of an extension, only the title,
 * the status and the type are listed.
 */
export function problemList(description: Description): Html {
  const adviceOn = ({ type }: { readonly type: string }) => ADVICE_BY_TYPE.get(type) ?? ['', ''];
  return html`${examplesOf(description).map((example) => codeBlock(JSON.stringify(example)))}
${table({
  caption: 'Problems',
  columns: {
    Problem: ({ type, title }) =>
      html`<span id="${problemAnchor(type)}">${title}</span> <code class="type">${type}</code>`,
    Status: ({ status }) => html`<span class="status">${status}</span>`,
    Meaning: (problem) => marked(adviceOn(problem)[0]),
    'What to do': (problem) => marked(adviceOn(problem)[1]),
  },
  rows: problemsOf(description),
})}`;
}

function examplesOf({ components }: Description): readonly unknown[] {
  const schemas = Object.values(components.schemas);
  return EXAMPLES.flatMap((type) =>
    schemas.filter(({ properties }) => properties?.type?.const === type).map((schema) => exampleOf(schema)),
  );
}
