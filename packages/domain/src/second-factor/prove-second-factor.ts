import { SetupFault } from '../faults.ts';
import type { Ports } from '../ports.ts';
import { err, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { parseRecoveryCode } from './recovery-code.ts';
import { secondFactorKeyId } from './second-factor.ts';
import { secondFactorEvent } from './second-factor-events.ts';
import type { Proof, ProofRefusal, Proved } from './second-factor-repository.ts';
import { acceptedSteps, parseTotpCode } from './totp.ts';

export type ProvePorts = Ports<'secondFactors' | 'secondFactorSecrets' | 'encryption' | 'clock'>;

interface ProofInput {
  readonly user: User;
  /** The enrolment that the user is to prove. */
  readonly enrolledAt: Instant;
  /** The text that the user typed: a code of the app, or a recovery code. */
  readonly code: string;
  /** The client's IP address. */
  readonly address: string;
}

/**
 * Accepts a code of the user's app or a recovery code, each once. A text that cannot be a code is refused and not
 * counted: it guesses nothing.
 *
 * @throws {SetupFault} if the stored secret cannot be decrypted
 */
export async function proveSecondFactor(
  ports: ProvePorts,
  { user, enrolledAt, code, address }: ProofInput,
): Promise<Result<Proved, ProofRefusal>> {
  const { secondFactors, secondFactorSecrets, clock } = ports;
  const recovery = parseRecoveryCode(code);
  const digits = parseTotpCode(code);
  let proof: Proof;
  if (recovery !== undefined) {
    proof = { recoveryHash: secondFactorSecrets.hashOfRecoveryCode(recovery) };
  } else if (digits === undefined) {
    return err({ code: 'second_factor_wrong' });
  } else {
    const secret = await openSecret(ports, user);
    if (secret === undefined) return err({ code: 'second_factor_not_enrolled' });
    const steps = acceptedSteps(clock.now());
    proof = { steps: steps.filter((step) => secondFactorSecrets.codeOf(secret, step) === digits) };
  }
  const at = clock.now();
  return secondFactors.prove({ userId: user.id, enrolledAt }, proof, at, (left) => ({
    ...(left === undefined
      ? secondFactorEvent(at, 'user.second_factor_paused', user)
      : secondFactorEvent(at, 'user.recovery_code_used', user, { left })),
    actor: { kind: 'user', id: user.id },
    origin: address,
  }));
}

async function openSecret({ secondFactors, encryption }: ProvePorts, { id }: User) {
  const stored = await secondFactors.find(id);
  if (!stored) return undefined;
  const opened = await encryption.open(stored.sealedSecret, secondFactorKeyId(id));
  if (opened.ok) return opened.value;
  throw new SetupFault(
    'the secret of a second factor cannot be decrypted with the master key: `gatehouse doctor` says more, and `gatehouse user reset-second-factor` removes the factor',
  );
}
