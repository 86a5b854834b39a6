import { checkName } from '@gatehouse/domain';
import type { ScopeChoices } from '@gatehouse/domain/services';
import { parseDuration } from '@gatehouse/domain/time';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { listed, name } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { type Html, html } from '../../html.ts';

/** The maximum length of a value that the page repeats, in characters. Longer values are shortened. */
const MAX_REPEATED = 60;

/**
 * The longest duration that a link can ask for, in milliseconds: ten years. A user who wants a longer duration chooses
 * a day.
 */
const MAX_DURATION_MS = 10 * 366 * 86_400_000;

/** Returns for each parameter of a link to the form a function that says whether a value is valid. */
const fittingIn = (choices: ScopeChoices) => ({
  name: (value: string) => checkName('name', value).ok,
  scope: (value: string) => choices.parse([value]).ok,
  expires_in: (value: string) =>
    value === 'never' || (parseDuration(value) ?? Number.POSITIVE_INFINITY) <= MAX_DURATION_MS,
  format: (value: string) => TOKEN_FORMATS.some((format) => format === value),
});

/**
 * Reads the field values from a link to the form, such as `?name=ERP&scope=orgs:read&expires_in=90d`, and collects the
 * values that are not valid. The manual of a program can contain a link with the scopes that the program needs.
 */
export function readPrefill(choices: ScopeChoices, query: URLSearchParams) {
  const fits = fittingIn(choices);
  const fitting = (parameter: keyof typeof fits) => query.getAll(parameter).filter(fits[parameter]);
  const known = new Map<string, (value: string) => boolean>(Object.entries(fits));
  return {
    name: fitting('name')[0],
    scopes: fitting('scope'),
    expires: fitting('expires_in')[0],
    format: fitting('format')[0],
    ignored: [...query].filter(([parameter, value]) => known.get(parameter)?.(value) === false),
  };
}

/** Says which values of the link were ignored; null if no value was ignored. */
export function ignoredInWords({ ignored }: ReturnType<typeof readPrefill>): Html | null {
  if (ignored.length === 0) return null;
  const parts = ignored
    .slice(0, 5)
    .map(([parameter, value]) => html`<code>${parameter}</code> “${name(shortened(value))}”`);
  return warning(
    html`<p>Parts of the link to this form were ignored, because they are not valid on this server: ${listed(parts)}.</p>`,
  );
}

function shortened(value: string): string {
  return value.length <= MAX_REPEATED ? value : `${value.slice(0, MAX_REPEATED).toWellFormed()}…`;
}
