import { z } from 'zod';

/** A database id in responses: an integer that JavaScript represents exactly. */
export const resourceId = z.int().positive();
