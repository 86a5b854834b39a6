import { z } from 'zod';

/** How a database id is answered: an integer that JavaScript reads exactly. */
export const resourceId = z.int().positive();
