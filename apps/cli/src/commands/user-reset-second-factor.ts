import { defineChange } from '../described/kinds.ts';
import { userView } from '../views/user-view.ts';
import { USER } from './shared-options.ts';

export const userResetSecondFactor = defineChange({
  verb: 'reset-second-factor',
  summary: 'Remove the second factor of a user who lost it; the user then signs in with the password',
  arguments: { email: USER },
  options: {
    reason: {
      value: 'text',
      description: 'Why it is removed; the audit log has the reason, and the user sees it',
      required: true,
    },
  },
  notes: [
    'First make sure that the request is from the user: who knows the password can sign in afterwards. Admins of an account that demands second factors are led to set up another one.',
  ],
  examples: ['gatehouse user reset-second-factor bo@acme.example --reason "lost phone, called back"'],
  run: ({ resetSecondFactor }, caller, { email, reason }) => resetSecondFactor(caller, { email, reason }),
  note: ({ user: { email } }) => `Removed the second factor of ${email}.`,
  document: ({ user }) => userView.document(user),
});
