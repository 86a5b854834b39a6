import { eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, type InvalidInput, ok, type Result } from '../result.ts';
import { checkName } from '../text.ts';
import { normalPassword } from '../users/normal-password.ts';
import { checkPassword } from '../users/password-policy.ts';
import type { User } from '../users/user.ts';
import type { OpenInvitation } from './invitation-repository.ts';
import {
  type ChoiceRefused,
  type CodeInput,
  type CodeRefusal,
  choiceRefused,
  type RedeemingPorts,
  withCode,
} from './redeeming.ts';

type InvitationPorts = RedeemingPorts & Ports<'invitations' | 'clock'>;

/** Finds the invitation with this code, to show it to the invited person. Changes nothing. */
export function findInvitation(ports: InvitationPorts) {
  return (input: CodeInput): Promise<Result<OpenInvitation, CodeRefusal>> =>
    withCode(ports, 'invitation', input, async (hash) => {
      const found = await ports.invitations.findByCode(hash, ports.clock.now());
      return found ? ok(found) : err({ code: 'link_not_accepted' });
    });
}

/** The name and the password that an invited person chooses. */
export interface InvitedChoice {
  readonly name: string;
  readonly password: string;
}

/** Returns what is wrong with the name and the password that the invited person chose. */
export function problemsOfInvited(
  { invitation }: OpenInvitation,
  { name, password }: InvitedChoice,
): InvalidInput['problems'] {
  return [checkName('name', name.trim()), checkPassword(password, invitation.email)].flatMap((check) =>
    check.ok ? [] : check.error.problems,
  );
}

/**
 * Creates the user whom the invitation invites, with the name and the password that the person chose. Reads the
 * invitation before the slow hash is computed; the database decides again when it creates the user.
 */
export function acceptInvitation(ports: InvitationPorts & Ports<'passwords'>) {
  const { invitations, passwords, clock } = ports;
  return (
    input: CodeInput & InvitedChoice,
  ): Promise<Result<User, CodeRefusal | ChoiceRefused<OpenInvitation>>> =>
    withCode(ports, 'invitation', input, async (hash) => {
      const found = await invitations.findByCode(hash, clock.now());
      if (!found) return err({ code: 'link_not_accepted' });
      const refused = choiceRefused(found, problemsOfInvited(found, input));
      if (refused) return err(refused);
      const passwordHash = await passwords.hash(normalPassword(input.password));
      if (!passwordHash.ok) return passwordHash;
      const at = clock.now();
      const user = { name: input.name.trim(), passwordHash: passwordHash.value, at };
      return invitations.accept(hash, user, (created, { id, accountId, isMailed }) => {
        const by = { actor: { kind: 'user', id: created.id }, origin: input.address } as const;
        const { email, role } = created;
        return [
          { ...eventOf(at, 'invitation.accepted', { id, accountId }, { email, role }), ...by },
          { ...eventOf(at, 'user.created', created, { email, role }), ...by },
          ...(isMailed ? [{ ...eventOf(at, 'user.email_proved', created, { email }), ...by }] : []),
        ];
      });
    });
}
