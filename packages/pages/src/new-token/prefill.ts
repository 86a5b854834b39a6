import { checkName } from '@gatehouse/domain';
import type { Catalog } from '@gatehouse/domain/resources';
import { parseDuration } from '@gatehouse/domain/time';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { warning } from '../elements/notice.ts';
import { name } from '../elements/state.ts';
import { listed } from '../elements/words.ts';
import { type Html, html } from '../html.ts';

/** The values that a link asks for, such as `?name=ERP&scope=orgs:read&expires_in=90d`, and the ones that do not exist. */
export interface Prefill {
  readonly name?: string;
  readonly scopes: readonly string[];
  readonly expires?: string;
  readonly format?: string;
  readonly ignored: readonly (readonly [parameter: string, value: string])[];
}

/** In characters. A longer value is shortened when it is repeated. */
const MAX_REPEATED = 60;

/** Ten years, in milliseconds. For a longer time, the user chooses a day. */
const MAX_DURATION_MS = 10 * 366 * 86_400_000;

/** The form of each parameter's values. */
const fittingIn = ({ parseScopes }: Catalog): Readonly<Record<string, (value: string) => boolean>> => ({
  name: (value) => checkName('name', value).ok,
  scope: (value) => parseScopes([value]).ok,
  expires_in: (value) =>
    value === 'never' || (parseDuration(value) ?? Number.POSITIVE_INFINITY) <= MAX_DURATION_MS,
  format: (value) => TOKEN_FORMATS.some((format) => format === value),
});

/** Reads the values that a link to the form asks for. The manual of an integration can have such a link. */
export function readPrefill(catalog: Catalog, query: URLSearchParams): Prefill {
  const fits = fittingIn(catalog);
  const fitting = (parameter: string) => query.getAll(parameter).filter((value) => fits[parameter]?.(value));
  const one = (parameter: string) => fitting(parameter)[0];
  const ignored = [...query].filter(([parameter, value]) => {
    const isFitting = Object.hasOwn(fits, parameter) ? fits[parameter] : undefined;
    return isFitting !== undefined && !isFitting(value);
  });
  const [text, expires, format] = [one('name'), one('expires_in'), one('format')];
  return {
    ...(text !== undefined && { name: text }),
    scopes: fitting('scope'),
    ...(expires !== undefined && { expires }),
    ...(format !== undefined && { format }),
    ignored,
  };
}

/** Lists the values of the link that were left out; null if there are none. */
export function ignoredInWords({ ignored }: Prefill): Html | null {
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
