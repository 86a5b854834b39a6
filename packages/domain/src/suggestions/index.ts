export { type SuggestionKind, suggest } from './suggest.ts';
export type { SuggestionQuery, SuggestionSource } from './suggestion-source.ts';
