import { inSteps } from '@gatehouse/extension-kit/postgres';
import { index } from '../database/migrator/migration-statements.ts';

/** The separators of words, as the domain has them (`WORD_SEPARATORS`). A released migration never changes. */
const SEPARATORS = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000]+`;

/** The words of a text, each after the id of the account, because an index of words cannot begin with a column. */
const wordsOf = (text: string) =>
  `array_to_tsvector(array_remove(string_to_array(regexp_replace(' ' || lower(${text}), '${SEPARATORS}', ' ' || account_id::text || ':', 'g'), ' '), ''))`;

/**
 * Adds the indexes that find API tokens by the words of their names, and users by the words of their names and emails.
 * Without a list of pending entries, the cost of a search does not depend on how many tokens were made lately.
 */
export const steps = inSteps(
  index(`tokens_words on tokens using gin (${wordsOf('name')}) with (fastupdate = off) where kind = 'api'`),
  index(`users_words on users using gin (${wordsOf("name || ' ' || email")}) with (fastupdate = off)`),
);
