import { problemsOfInvited } from '@gatehouse/domain/links';
import { PASSWORD_MIN_LENGTH } from '@gatehouse/domain/users';
import { button, name } from '../elements/inline.ts';
import { attributes, html } from '../html.ts';
import { INVITATION } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { type BeginPorts, beginAttempt } from '../providers/begin-attempt.ts';
import { continuePage } from '../providers/continue-page.ts';
import { refusedAnswer } from '../providers/refused-answer.ts';
import type { Visit } from '../visit.ts';
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

/** The values of `step` that join with an identity provider begin with this, and end with the name of the provider. */
const WITH = 'with-';

/** `/invitation`: an invited person sets a name and a password, or joins with an identity provider. */
export const invitationEndpoint = (
  ports: Pick<PagePorts, 'acceptInvitation' | 'findInvitation'> & CodePorts & BeginPorts,
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
    others({ account }, formOf) {
      const serving = ports.listProviders().filter(({ accounts }) => accounts.includes(account.id));
      if (serving.length === 0) return null;
      return html`<section class="providers" aria-label="Identity providers">${serving.map(({ id, label }) =>
        formOf(`${WITH}${id}`, button(`Join with ${label}`)),
      )}</section>`;
    },
    elsewhere: (visit, step, code) =>
      step.startsWith(WITH) ? joinWith(ports, visit, step.slice(WITH.length), code) : undefined,
    problems: problemsOfInvited,
    use: (values, address) => ports.acceptInvitation({ ...values, address }),
    notice: 'account_ready',
    done: 'You joined the account',
  });

async function joinWith(ports: BeginPorts, visit: Visit, named: string, code: string) {
  const begun = await beginAttempt(ports, visit, named, { kind: 'invitation', code }, null);
  if (!begun.ok) return refusedAnswer(visit, begun.error);
  const { location, provider, headers } = begun.value;
  return continuePage(visit, location, provider.label, headers);
}
