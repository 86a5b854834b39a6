import { ERROR_CODES } from '../errors.ts';

/** A resource with its own expected errors, by their codes. */
interface Refusing {
  readonly name: string;
  readonly refusals?: Readonly<Record<string, unknown>>;
}

/**
 * Checks that every code of a refusal means one thing.
 *
 * @param problems names of problems, which a server also uses as codes
 * @throws TypeError if a resource describes a code that Gatehouse or another resource has
 */
export function checkRefusals(resources: readonly Refusing[], problems: readonly string[] = []): void {
  const owners = new Map([...ERROR_CODES, ...problems].map((code) => [code, 'Gatehouse']));
  for (const { name, refusals = {} } of resources) {
    for (const code of Object.keys(refusals)) {
      const owner = owners.get(code);
      if (owner !== undefined) throw new TypeError(`${owner} and ${name} have the same refusal: ${code}`);
      owners.set(code, name);
    }
  }
}
