import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { User } from '@gatehouse/domain/users';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineChange } from '../described/kinds.ts';
import { usageError } from '../errors/command-error.ts';
import { DURATION } from '../input/parsers.ts';
import { userView } from '../views/user-view.ts';
import { UNITS, USER } from './shared-options.ts';

interface Armed {
  readonly user: User;
  /** Null if the password is closed now. */
  readonly until: Instant | null;
  readonly already: boolean;
}

export const userArm = defineChange({
  verb: 'arm',
  summary: "Open a user's password on the pages for a while, although passwords are off",
  arguments: { email: USER },
  options: {
    for: {
      ...DURATION,
      description: `How long the password is open (${UNITS}), at most 24h`,
      conflicts: ['end'],
    },
    end: { description: 'Close the password now' },
  },
  notes: [
    'For emergencies, with PASSWORD_SIGN_IN=break-glass. It ends by itself, and `gatehouse doctor` reports it until then. The API still refuses the password. Sessions that the user opens meanwhile stay.',
  ],
  examples: ['gatehouse user arm ops@acme.example --for 1h', 'gatehouse user arm ops@acme.example --end'],
  async run({ armUser, disarmUser }, caller, { email, for: forMs, end }) {
    if (end) {
      const closed = await disarmUser(caller, { email });
      return closed.ok ? { ok: true, value: { ...closed.value, until: null } as Armed } : closed;
    }
    if (forMs === undefined) throw usageError('Give --for with a duration such as 1h, or --end.');
    const armed = await armUser(caller, { email, forMs });
    return armed.ok ? { ok: true, value: { ...armed.value, already: false } as Armed } : armed;
  },
  note: ({ user: { email }, until, already }) => {
    if (until !== null)
      return `${email} can sign in with the password on the pages until ${shortTime(until)}. To close it, run \`gatehouse user arm ${email} --end\`.`;
    return already
      ? `The password of ${email} is not open; nothing changed.`
      : `Closed the password of ${email}. Sessions that it opened stay: \`gatehouse user set-password\` ends them.`;
  },
  document: ({ user, until }) => ({
    ...userView.document(user),
    password_open_until: until === null ? null : formatInstant(until),
  }),
});
