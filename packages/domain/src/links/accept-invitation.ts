import { eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, type InvalidInput, ok, type Result } from '../result.ts';
import { checkName } from '../text.ts';
import { checkPassword } from '../users/password-policy.ts';
import type { User } from '../users/user.ts';
import type { OpenInvitation } from './invitation-repository.ts';
import { type CodeInput, type CodeRefusal, type RedeemingPorts, withCode } from './redeeming.ts';

type InvitationPorts = RedeemingPorts & Ports<'invitations' | 'clock'>;

/** Finds the invitation with this code, to show it to the invited person. Changes nothing. */
export function findInvitation(ports: InvitationPorts) {
  return (input: CodeInput): Promise<Result<OpenInvitation, CodeRefusal>> =>
    withCode(ports, 'invitation', input, async (hash) => {
      const found = await ports.invitations.findByCode(hash, ports.clock.now());
      return found ? ok(found) : err({ code: 'link_not_accepted' });
    });
}

export interface AcceptInvitationInput extends CodeInput {
  readonly name: string;
  readonly password: string;
}

/**
 * Creates the user whom the invitation invites, with the name and the password that the person chose. Reads the
 * invitation before the slow hash is computed; the database decides again when it creates the user.
 */
export function acceptInvitation(ports: InvitationPorts & Ports<'passwords'>) {
  const { invitations, passwords, clock } = ports;
  return (input: AcceptInvitationInput): Promise<Result<User, CodeRefusal | InvalidInput>> =>
    withCode(ports, 'invitation', input, async (hash) => {
      const found = await invitations.findByCode(hash, clock.now());
      if (!found) return err({ code: 'link_not_accepted' });
      const name = checkName('name', input.name.trim());
      const password = checkPassword(input.password, found.invitation.email);
      if (!name.ok || !password.ok) {
        const problems = [name, password].flatMap((check) => (check.ok ? [] : check.error.problems));
        return err({ code: 'invalid_input', problems });
      }
      const passwordHash = await passwords.hash(password.value);
      if (!passwordHash.ok) return passwordHash;
      const at = clock.now();
      const user = { name: name.value, passwordHash: passwordHash.value, at };
      return invitations.accept(hash, user, (created, { id, accountId }) => {
        const by = { actor: { kind: 'user', id: created.id }, origin: input.address } as const;
        const { email, role } = created;
        return [
          { ...eventOf(at, 'invitation.accepted', { id, accountId }, { email, role }), ...by },
          { ...eventOf(at, 'user.created', created, { email, role }), ...by },
        ];
      });
    });
}
