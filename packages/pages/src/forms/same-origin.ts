import { type HttpRequest, isOtherOrigin } from '@gatehouse/http';
import type { Site } from '../site/site.ts';

/**
 * Whether a form was sent by a page of ours. Browsers send the origin with each POST. A browser that does not has to say
 * that the origin is the same (Fetch Metadata).
 */
export function isFromSameOrigin({ headers }: HttpRequest, site: Site): boolean {
  if (headers.origin !== undefined) return headers.origin === site.origin;
  return headers['sec-fetch-site'] === 'same-origin';
}

/**
 * Whether a page of another origin caused this request, by a link or otherwise. If the browser does not say, the user did, or the
 * browser is from before 2023.
 */
export function isFromOtherOrigin({ headers }: HttpRequest, site: Site): boolean {
  if (headers.origin !== undefined) return headers.origin !== site.origin;
  return isOtherOrigin(headers['sec-fetch-site']);
}
