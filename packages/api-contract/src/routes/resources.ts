import { z } from 'zod';

/** For responses that depend on the caller. */
export const PRIVATE = 'private, no-cache';

/** A database id in responses: an integer that JavaScript represents exactly. */
export const resourceId = z.int().positive();
