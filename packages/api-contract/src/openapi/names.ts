import { type Problem, problemsOf, type Route } from '@gatehouse/extension-kit/http';
import { type Described, describedBodies } from './components.ts';
import { describedParameters } from './parameters.ts';

/**
 * Checks that a name in the document means one thing. Only schemas that share a name are converted.
 *
 * @throws TypeError if two parameters, bodies or problems that differ have the same name
 */
export function checkNames(routes: readonly Route[]): void {
  checkEach('parameters', routes.flatMap(describedParameters));
  checkEach('bodies', routes.flatMap(describedBodies));
  checkProblems(routes);
}

function checkProblems(routes: readonly Route[]): void {
  const first = new Map<string, Problem>();
  for (const [name, problem] of routes.flatMap((route) => [...problemsOf(route)])) {
    const known = first.get(name);
    if (!known) first.set(name, problem);
    else if (known.status !== problem.status || known.title !== problem.title)
      throw new TypeError(`two problems that differ have the name ${name}`);
  }
}

function checkEach(what: string, described: readonly Described[]): void {
  const first = new Map<string, Described>();
  for (const each of described) {
    if (each.name === undefined) continue;
    const known = first.get(each.name);
    if (!known) first.set(each.name, each);
    else if (!isSame(known, each)) throw new TypeError(`two ${what} that differ have the name ${each.name}`);
  }
}

function isSame(one: Described, other: Described): boolean {
  if (one.schema === other.schema && one.place === other.place) return true;
  return JSON.stringify(one.toJson()) === JSON.stringify(other.toJson());
}
