import { type InvalidInput, ok, type Result } from '../../result.ts';
import { checkText } from '../../text.ts';

/** The longest description of a token, in characters. */
export const MAX_DESCRIPTION_LENGTH = 500;

/**
 * Validates the description of a token. White space around it is left out. An empty text means no description, which is
 * null.
 */
export function checkDescription(text: string): Result<string | null, InvalidInput> {
  const described = checkText('description', text.trim(), MAX_DESCRIPTION_LENGTH);
  return described.ok ? ok(described.value || null) : described;
}
