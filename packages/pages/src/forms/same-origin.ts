import { type HttpRequest, isOtherOrigin } from '@gatehouse/http';
import type { Site } from '../site/site.ts';

/**
 * Whether a form was sent by a page of ours. Browsers name the origin with each POST; one that does not has to say
 * that it is the same one (Fetch Metadata).
 */
export function isFromSameOrigin({ headers }: HttpRequest, site: Site): boolean {
  if (headers.origin !== undefined) return headers.origin === site.origin;
  return headers['sec-fetch-site'] === 'same-origin';
}

/**
 * Whether a page of another origin made the browser send this, also by a link. Where a browser says nothing, it was the user, or
 * a browser of before 2023.
 */
export function isFromOtherOrigin({ headers }: HttpRequest, site: Site): boolean {
  if (headers.origin !== undefined) return headers.origin !== site.origin;
  return isOtherOrigin(headers['sec-fetch-site']);
}
