import { parseOrganizationId } from '@gatehouse/domain/organizations';
import { z } from 'zod';

/** `Cache-Control` of responses that depend on the caller. */
export const PRIVATE = 'private, no-cache';

/** A database id in responses: an integer that JavaScript represents exactly. */
export const resourceId = z.int().positive();

/** A database id in paths, parsed by `parse`, which returns undefined for an invalid id. */
export function pathId<Id>(parse: (text: string) => Id | undefined) {
  const description = 'A positive integer in decimal digits. Anything else is not found.';
  return z.string().transform(parse).meta({ description, example: '42' });
}

/**
 * The id of an organization in paths. An invalid id is parsed to undefined, so that the use case decides on the
 * response.
 */
export const organizationId = pathId(parseOrganizationId);

/** An instant in responses (RFC 3339). */
export const time = z.iso.datetime();
