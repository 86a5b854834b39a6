import type { Fields, SomeValues } from '../../elements/form.ts';
import { ORGANIZATION_FIELDS } from '../organization-fields.ts';

/** The fields of all forms of the page of an organization. */
export const CHANGE_FIELDS = {
  ...ORGANIZATION_FIELDS,
  email: { label: 'Email', type: 'email', isRequired: true, maxLength: 254 },
} as const satisfies Fields;

/** The values that the user typed. Each form sends some of the fields, and the others are then empty. */
export type Changes = SomeValues<typeof CHANGE_FIELDS>;
