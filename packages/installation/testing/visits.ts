import { READ_ME } from '@gatehouse/domain/access';
import { defineRoute, type Route } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** A route of an extension, before it says who may ask. */
export const VISITS = {
  operationId: 'listVisits',
  method: 'GET',
  path: '/api/v1/visits',
  tag: 'Visits',
  summary: 'List visits',
  success: { status: 200, description: 'They.', body: z.number(), cacheControl: 'no-store' },
} as const;

export const RULED = defineRoute({ ...VISITS, rule: READ_ME });
export const OPEN = defineRoute({ ...VISITS, public: true });

/** A route that was packed before it had to say that it is public. */
export const UNSAID = VISITS as unknown as Route;
