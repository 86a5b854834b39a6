import { ERROR_CODES } from '../errors.ts';
import { unique } from './catalog.ts';

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
  const codes = [...ERROR_CODES, ...problems];
  const own = { name: 'Gatehouse', refusals: Object.fromEntries(codes.map((code) => [code, {}])) };
  unique<Refusing>('refusal', [own, ...resources], ({ refusals = {} }) => Object.keys(refusals));
}
