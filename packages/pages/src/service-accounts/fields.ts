import { SERVICE_DESCRIPTION_MAX_LENGTH } from '@gatehouse/domain/users';
import type { FieldError, Fields, FieldValues, Options } from '../elements/form.ts';
import type { Found } from '../page-use-cases.ts';

/** The fields that the forms which create and change a service account have. */
export const SERVICE_ACCOUNT_FIELDS = {
  name: {
    label: 'Name',
    hint: 'The name of the program, such as “ERP”.',
    isRequired: true,
    maxLength: 200,
  },
  description: {
    label: 'Description',
    hint: 'Optional. What the program does.',
    type: 'multiline',
    maxLength: SERVICE_DESCRIPTION_MAX_LENGTH,
  },
  responsible: {
    label: 'Responsible admin',
    hint: 'The person to ask about the service account, and about its tokens.',
    type: 'select',
  },
} as const satisfies Fields;

/** The values of the fields as they are stored. Browsers send each line break as CR and LF (HTML Standard). */
export function serviceAccountValues({
  name,
  description,
  responsible,
}: FieldValues<typeof SERVICE_ACCOUNT_FIELDS>) {
  return {
    name: name.trim(),
    description: description.replaceAll('\r\n', '\n'),
    responsible: { email: responsible.trim() },
  };
}

type Admins = Found<'listAdmins'>;

/** How the field of the responsible admin is shown: a choice of the admins or, if there are many, their email. */
export function responsibleField({ admins, more }: Admins, chosen = '') {
  if (more) return { type: 'email', hint: 'The email of an active admin of your account.' } as const;
  const known = admins.map(({ name, email }) => [email, `${name} (${email})`] as const);
  const isKnown = admins.some(({ email }) => email === chosen);
  const options: Options = Object.fromEntries([
    ...(isKnown ? [] : [['', 'Choose an admin'] as const]),
    ...known,
  ]);
  return { options };
}

export const NOT_RESPONSIBLE: FieldError = {
  field: 'responsible',
  message: 'must be an active admin of your account',
};
