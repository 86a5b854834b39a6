import { checkName } from '@gatehouse/domain';
import type { Catalog } from '@gatehouse/domain/resources';
import { parseDuration } from '@gatehouse/domain/time';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { listed, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { type Html, html } from '../html.ts';

/** In characters. A longer value is shortened when it is repeated. */
const MAX_REPEATED = 60;

/** Ten years, in milliseconds. For a longer time, the user chooses a day. */
const MAX_DURATION_MS = 10 * 366 * 86_400_000;

/** The form of each parameter's values. */
const fittingIn = ({ parseScopes }: Catalog) => ({
  name: (value: string) => checkName('name', value).ok,
  scope: (value: string) => parseScopes([value]).ok,
  expires_in: (value: string) =>
    value === 'never' || (parseDuration(value) ?? Number.POSITIVE_INFINITY) <= MAX_DURATION_MS,
  format: (value: string) => TOKEN_FORMATS.some((format) => format === value),
});

/**
 * Reads the values that a link to the form asks for, such as `?name=ERP&scope=orgs:read&expires_in=90d`, and those that do not
 * exist. The manual of an integration can have such a link.
 */
export function readPrefill(catalog: Catalog, query: URLSearchParams) {
  const fits = fittingIn(catalog);
  const fitting = (parameter: keyof typeof fits) => query.getAll(parameter).filter(fits[parameter]);
  const isIgnored = ([parameter, value]: [string, string]) =>
    isIn(fits, parameter) && !fits[parameter](value);
  return {
    name: fitting('name')[0],
    scopes: fitting('scope'),
    expires: fitting('expires_in')[0],
    format: fitting('format')[0],
    ignored: [...query].filter(isIgnored),
  };
}

const isIn = <T extends object>(values: T, name: PropertyKey): name is keyof T => Object.hasOwn(values, name);

/** Lists the values of the link that were left out; null if there are none. */
export function ignoredInWords({ ignored }: ReturnType<typeof readPrefill>): Html | null {
  if (ignored.length === 0) return null;
  const parts = ignored
    .slice(0, 5)
    .map(([parameter, value]) => html`<code>${parameter}</code> “${name(shortened(value))}”`);
  return warning(
    html`<p>Parts of the link that led here were ignored, because this server does not know them: ${listed(parts)}.</p>`,
  );
}

function shortened(value: string): string {
  return value.length <= MAX_REPEATED ? value : `${value.slice(0, MAX_REPEATED).toWellFormed()}…`;
}
