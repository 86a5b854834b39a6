import { defineChange } from '../described/kinds.ts';
import { counted } from '../views/count.ts';
import { userView } from '../views/user-view.ts';
import { REASON, USER } from './shared-options.ts';

export const userMarkBreakGlass = defineChange({
  verb: 'mark-break-glass',
  summary: 'Mark a user for emergencies: no identity provider signs the user in or changes the role',
  arguments: { email: USER },
  options: { undo: { description: 'Remove the mark' } },
  notes: [
    "Unlinks the user's identities and ends the sessions that they opened. Such a user signs in with the password only; with PASSWORD_SIGN_IN=break-glass, after `gatehouse user arm`.",
  ],
  examples: [
    'gatehouse user mark-break-glass ops@acme.example',
    'gatehouse user mark-break-glass ops@acme.example --undo',
  ],
  async run({ markBreakGlass, unmarkBreakGlass }, caller, { email, undo }) {
    return (undo ? unmarkBreakGlass : markBreakGlass)(caller, { email });
  },
  note: ({ user: { email }, already }, { undo }) => {
    if (undo) return already ? `${email} is not marked; nothing changed.` : `Removed the mark of ${email}.`;
    return already
      ? `${email} is already marked for emergencies; nothing changed.`
      : `Marked ${email} for emergencies. No identity provider signs the user in.`;
  },
  document: ({ user }) => userView.document(user),
});

export const userUnlink = defineChange({
  verb: 'unlink',
  summary: "Unlink a user's identities at identity providers, and end the sessions that they opened",
  arguments: { email: USER },
  options: {
    provider: { value: 'id', description: 'Unlink only the identity at this provider of the settings' },
    reason: { ...REASON, required: true },
  },
  notes: [
    'For a person who has another identity at the provider than before. Tokens keep working. If the account demands that a provider confirms its users, the user is confirmed only as long as before.',
  ],
  examples: ['gatehouse user unlink bo@acme.example --reason "new account at the provider"'],
  run: ({ unlinkIdentities }, caller, { email, provider, reason }) =>
    unlinkIdentities(caller, { email, provider, reason }),
  note: ({ user: { email }, unlinked }) =>
    `Unlinked ${counted(unlinked.length, 'identity', { several: 'identities' })} of ${email}.`,
  document: ({ user, unlinked }) => ({
    ...userView.document(user),
    unlinked: unlinked.map(({ issuer, subject }) => ({ issuer, subject })),
  }),
});

export const userProveEmail = defineChange({
  verb: 'prove-email',
  summary: "Note that you know the email address to be the user's, so an identity provider can link by it",
  arguments: { email: USER },
  notes: [
    'The addresses of users whom `gatehouse user create` creates count as proved, and so do those of people who used a mailed link. Those of people who accepted an invitation that was handed over do not.',
  ],
  examples: ['gatehouse user prove-email bo@acme.example'],
  run: ({ proveEmail }, caller, { email }) => proveEmail(caller, { email }),
  note: ({ user: { email }, already }) =>
    already ? `${email} was proved before; nothing changed.` : `Noted that ${email} is the user's address.`,
  document: ({ user }) => userView.document(user),
});
