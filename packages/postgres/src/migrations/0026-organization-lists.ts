import { inSteps } from '@gatehouse/extension-kit/postgres';
import { index } from '../database/migrator/migration-statements.ts';

/** Makes a page of the list of a member's organizations read few disk pages, however many the member belongs to. */
export const steps = inSteps(
  index('memberships_user_organization on memberships (user_id, organization_id)'),
);
