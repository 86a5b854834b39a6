import { selected } from '../database/domain-names.ts';

/** Selects organizations in the domain's form. */
export const organizationColumns = selected('id', 'accountId', 'name', 'description', 'createdAt');
