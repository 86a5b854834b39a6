import type { AccessDenied } from './access/authorize.ts';
import type { AccountNotFound } from './accounts/account-repository.ts';
import type { InvalidInput } from './invalid-input.ts';
import type {
  MemberOfAnotherAccount,
  OrganizationNotFound,
} from './organizations/organization-repository.ts';
import type { CredentialsNotAccepted } from './sign-in/sign-in.ts';
import type { TooManyAttempts } from './sign-in/sign-in-throttle.ts';
import type { KeyTooYoung } from './signing-keys/activate-key.ts';
import type { NoActiveKey } from './signing-keys/active-key.ts';
import type { MasterKeyRejected } from './signing-keys/key-encryption.ts';
import type {
  KeyInUse,
  KeyNotFound,
  KeyStateConflict,
  KeysChanged,
} from './signing-keys/signing-key-repository.ts';
import type { AmbiguousTokenName } from './tokens/administration/find-token-by-reference.ts';
import type { TokenNotRecognized } from './tokens/authentication/identify-token.ts';
import type { TokenNotRotatable } from './tokens/rotation/rotation.ts';
import type { TokenInsertRefusal, TokenNotFound } from './tokens/token-repository.ts';
import type { HashingBusy } from './users/password-hasher.ts';
import type {
  EmailTaken,
  LastAdmin,
  TransferNamesTaken,
  TransferTargetNotFit,
  UserNotFound,
} from './users/user-repository.ts';

/**
 * Every outcome that is expected and is no success. The union is closed: each app maps every code to its
 * own status, and a new code does not compile until it is mapped.
 */
export type DomainError =
  | AccessDenied
  | AccountNotFound
  | AmbiguousTokenName
  | CredentialsNotAccepted
  | EmailTaken
  | HashingBusy
  | InvalidInput
  | KeyInUse
  | KeyNotFound
  | KeyStateConflict
  | KeyTooYoung
  | KeysChanged
  | LastAdmin
  | MasterKeyRejected
  | MemberOfAnotherAccount
  | NoActiveKey
  | OrganizationNotFound
  | TokenInsertRefusal
  | TokenNotFound
  | TokenNotRecognized
  | TokenNotRotatable
  | TooManyAttempts
  | TransferNamesTaken
  | TransferTargetNotFit
  | UserNotFound;

export type DomainErrorCode = DomainError['code'];
