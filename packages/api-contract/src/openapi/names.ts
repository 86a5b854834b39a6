import { type Problem, problemsOf, type Route } from '@gatehouse/extension-kit/http';
import { type Described, describedBodies, named } from './components.ts';
import { describedParameters } from './parameters.ts';

/**
 * Checks that a name in the document means only one schema or problem. Schemas are converted to JSON and compared only
 * if they have the same name.
 *
 * @throws TypeError if two parameters, bodies or problems that differ have the same name
 */
export function checkNames(routes: readonly Route[]): void {
  checkEach('parameters', named(routes.flatMap(describedParameters)), isSame);
  checkEach('bodies', named(routes.flatMap(describedBodies)), isSame);
  const problems = routes.flatMap((route) => [...problemsOf(route)]);
  checkEach<Problem>('problems', problems, (one, other) => {
    return one.status === other.status && one.title === other.title;
  });
}

function checkEach<Each>(
  what: string,
  named: readonly (readonly [name: string, each: Each])[],
  isSame: (one: Each, other: Each) => boolean,
): void {
  const first = new Map<string, Each>();
  for (const [name, each] of named) {
    const known = first.get(name);
    if (!known) first.set(name, each);
    else if (!isSame(known, each)) throw new TypeError(`two ${what} that differ have the name ${name}`);
  }
}

function isSame(one: Described, other: Described): boolean {
  if (one.schema === other.schema && one.place === other.place) return true;
  return JSON.stringify(one.toJson()) === JSON.stringify(other.toJson());
}
