import { ROLES } from '@gatehouse/domain/users';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { ACCOUNT_ID } from '../input/parsers.ts';
import { invitationView } from '../views/invitation-view.ts';

export const userInvite = defineSteps({
  verb: 'invite',
  summary: 'Invite a person to an account and print the code; it is not shown again',
  options: {
    account: { ...ACCOUNT_ID, description: "The account's id", required: true },
    email: { value: 'email', description: 'The address with which the person signs in', required: true },
    name: { value: 'name', description: 'A proposal for the name' },
    role: { value: 'role', description: 'The role in the account', choices: ROLES, required: true },
  },
  notes: [
    'The code works once, for 7 days. The person opens the page /invitation of Gatehouse and pastes the code, or opens a link to that page that ends in # and the code. Only this command can invite admins.',
  ],
  examples: [
    '(umask 077 && gatehouse user invite --account 1 --email bo@acme.example --role member > bo.code)',
  ],
  prints: 'change',
  async steps({ inviteUser }, caller, { account: accountId, email, name = null, role }, { printer }) {
    const { invitation, code } = unwrap(await inviteUser(caller, { accountId, email, name, role }));
    await printer.note(
      `Invited ${invitation.email} (${role}) until ${shortTime(invitation.expiresAt)}. The person opens the page /invitation and pastes the code. Copy the code now; it is not shown again:`,
    );
    await printer.secret(code, { ...invitationView.document(invitation), code });
  },
});
