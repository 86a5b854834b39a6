import type { Fields, FieldValues } from '../elements/form.ts';

/** The fields of an organization, which the forms that create and change one have. */
export const ORGANIZATION_FIELDS = {
  name: { label: 'Name', isRequired: true, maxLength: 200 },
  description: { label: 'Description', hint: 'Optional.', type: 'multiline', maxLength: 2000 },
} as const satisfies Fields;

/** Returns the values of the fields as they are stored. Browsers send each line break as CR and LF (HTML Standard). */
export function organizationValues({ name, description }: FieldValues<typeof ORGANIZATION_FIELDS>) {
  return { name: name.trim(), description: description.replaceAll('\r\n', '\n').trim() };
}
