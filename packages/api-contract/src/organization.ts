import { z } from 'zod';
import { resourceId } from './resource-id.ts';

export const organizationAnswer = z.strictObject({
  id: resourceId,
  name: z.string(),
  description: z.string().nullable(),
});

export type OrganizationAnswer = z.infer<typeof organizationAnswer>;
