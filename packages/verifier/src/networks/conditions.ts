import { text, texts } from '../wire.ts';
import { type Networks, parseNetwork } from './networks.ts';

/** The conditions that this verifier decides. Gatehouse calls a token inactive that has another one. */
export const DECLARED = ['networks'] as const;

/**
 * Reads the conditions of a token. Returns its networks if requests from elsewhere must be refused. `unknown` if there
 * is a condition or a mode that this verifier does not know: then it must refuse the token.
 *
 * @throws TypeError
 */
export function readConditions(conditions: unknown): Networks | undefined | 'unknown' {
  if (conditions === undefined) return undefined;
  const { networks, ...others } = conditions as Record<string, unknown>;
  if (Object.keys(others).length > 0) return 'unknown';
  if (networks === undefined) return undefined;
  const { mode, list } = networks as Record<string, unknown>;
  const parsed = texts(list).map(parseNetwork);
  switch (text(mode)) {
    case 'enforced':
      return parsed;
    case 'report-only':
      return undefined;
    default:
      return 'unknown';
  }
}
