import { problemsOfReset } from '@gatehouse/domain/links';
import { button } from '../elements/inline.ts';
import { attributes, html } from '../html.ts';
import { PASSWORD_RESET } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { NEW_PASSWORD_FIELDS } from './accept-invitation.ts';
import { CODE_FIELDS, type CodePorts, codeEndpoint } from './code-pages.ts';

const FIELDS = { ...CODE_FIELDS, ...NEW_PASSWORD_FIELDS } as const;

/** `/password-reset`: a user sets a new password by a link. */
export const passwordResetEndpoint = (
  ports: Pick<PagePorts, 'findResetLink' | 'resetPassword'> & CodePorts,
) =>
  codeEndpoint(ports, {
    path: PASSWORD_RESET,
    title: 'Set a new password',
    lead: 'You need the link that you got, or its code: the part of the link after the # sign.',
    fields: FIELDS,
    find: ports.findResetLink,
    emailOf: ({ user }) => user.email,
    proposed: () => ({}),
    content: (
      { user },
      field,
    ) => html`<p class="lead">Set a new password for ${user.email}. This ends all your sessions. API tokens keep working.</p>
<input${attributes({ type: 'hidden', autocomplete: 'username', value: user.email })}>
${field('password')}
${field('again')}
${button('Set password', 'primary')}`,
    problems: problemsOfReset,
    use: (values, address) => ports.resetPassword({ ...values, address }),
    notice: 'password_reset',
    done: 'The password was changed',
  });
