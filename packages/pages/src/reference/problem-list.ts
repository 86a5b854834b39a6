import { PROBLEMS, type ProblemName } from '@gatehouse/extension-kit/http';
import { type Html, html } from '../html.ts';
import { ADVICE, type Advice } from './advice.ts';
import { marked } from './code.ts';
import type { Description } from './description.ts';

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

/**
 * Lists the problems, each with its meaning and with advice. For a problem of an extension, only the title, the status
 * and the type are listed.
 */
export function problemList(description: Description): Html {
  return html`${problemsOf(description).map(({ type, title, status }) => {
    const [meaning, action] = ADVICE_BY_TYPE.get(type) ?? [];
    return html`<section class="problem" id="${problemAnchor(type)}"><h3>${title} <span class="status">${status}</span></h3>
<p><code>${type}</code></p>${
      meaning &&
      action &&
      html`<p>${marked(meaning)}</p><p><strong>What to do:</strong> ${marked(action)}</p>`
    }</section>
`;
  })}`;
}
