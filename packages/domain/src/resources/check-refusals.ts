import { ERROR_CODES } from '../errors.ts';
import { unique } from './catalog.ts';

/** A resource that describes its own expected errors. The keys of `refusals` are the codes of the errors. */
interface Refusing {
  readonly name: string;
  readonly refusals?: Readonly<Record<string, unknown>>;
}

/**
 * Checks that no two resources use the same code for an expected error.
 *
 * @param problems names of problem documents, which a server also uses as codes
 * @throws TypeError if a resource describes a code that Gatehouse or another resource has
 */
export function checkRefusals(resources: readonly Refusing[], problems: readonly string[] = []): void {
  const codes = [...ERROR_CODES, ...problems];
  const own = { name: 'Gatehouse', refusals: Object.fromEntries(codes.map((code) => [code, {}])) };
  unique<Refusing>('refusal', [own, ...resources], ({ refusals = {} }) => Object.keys(refusals));
}
