import { problemsOfInvited } from '@gatehouse/domain/links';
import { PASSWORD_MIN_LENGTH } from '@gatehouse/domain/users';
import { button, name } from '../elements/inline.ts';
import { attributes, html } from '../html.ts';
import { INVITATION } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { CODE_FIELDS, type CodePorts, codeEndpoint } from './code-pages.ts';

/** The fields in which a person chooses a password. */
export const NEW_PASSWORD_FIELDS = {
  password: {
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    hint: `At least ${PASSWORD_MIN_LENGTH} characters. Several words are easier to remember than symbols.`,
  },
  again: {
    label: 'Confirm new password',
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
  },
} as const;

const FIELDS = {
  ...CODE_FIELDS,
  name: { label: 'Name', autocomplete: 'name', isRequired: true, maxLength: 200 },
  ...NEW_PASSWORD_FIELDS,
} as const;

/** `/invitation`: an invited person sets a name and a password. */
export const invitationEndpoint = (
  ports: Pick<PagePorts, 'acceptInvitation' | 'findInvitation'> & CodePorts,
) =>
  codeEndpoint(ports, {
    path: INVITATION,
    title: 'Accept your invitation',
    lead: 'You need the link of your invitation, or its code: the part of the link after the # sign.',
    fields: FIELDS,
    find: ports.findInvitation,
    emailOf: ({ invitation }) => invitation.email,
    proposed: ({ invitation }) => ({ name: invitation.name ?? '' }),
    content: ({ invitation, account }, field) => html`<p class="lead">Join ${name(account.name)} as ${
      invitation.role === 'admin' ? 'an admin' : 'a member'
    } with the address ${invitation.email}.</p>
<input${attributes({ type: 'hidden', autocomplete: 'username', value: invitation.email })}>
${field('name')}
${field('password')}
${field('again')}
${button('Join', 'primary')}`,
    problems: problemsOfInvited,
    use: (values, address) => ports.acceptInvitation({ ...values, address }),
    notice: 'account_ready',
    done: 'You joined the account',
  });
