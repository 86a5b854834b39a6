import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { userView } from '../views/user-view.ts';
import { USER } from './shared-options.ts';

export const userResetLink = defineSteps({
  verb: 'reset-link',
  summary: 'Print a code with which a user sets a new password; it is not shown again',
  arguments: { email: USER },
  notes: [
    'The code works once, for one hour, and then signs the user out everywhere. The user opens the page /password-reset of Gatehouse and pastes the code, or opens a link to that page that ends in # and the code. Only this command makes codes for admins and former admins.',
  ],
  examples: ['(umask 077 && gatehouse user reset-link bo@acme.example > bo.code)'],
  prints: 'change',
  async steps({ createResetLink }, caller, { email }, { printer }) {
    const { user, link, code } = unwrap(await createResetLink(caller, { email }));
    await printer.note(
      `${user.email} can set a new password until ${shortTime(link.expiresAt)}, on the page /password-reset. Copy the code now; it is not shown again:`,
    );
    await printer.secret(code, { ...userView.document(user), code });
  },
});
