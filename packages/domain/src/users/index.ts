export { actAs } from './act-as.ts';
export {
  EMAIL_MAX_LENGTH,
  type Email,
  type EmailKey,
  emailKey,
  formerEmailKey,
  parseEmail,
} from './email.ts';
export { getMe, type Me } from './get-me.ts';
export { listAdmins } from './list-admins.ts';
export type { CreateUserInput, UserWithTokens } from './manage-users.ts';
export {
  createUser,
  disableUser,
  enableUser,
  findLiveTokens,
  findUser,
  listUsers,
  setPassword,
  setRole,
} from './manage-users.ts';
export {
  isPasswordTooLong,
  normalPassword,
  PASSWORD_MAX_LENGTH,
  type PasswordForm,
} from './normal-password.ts';
export type { HashingBusy, PasswordHash, PasswordHasher } from './password-hasher.ts';
export { checkPassword, PASSWORD_MIN_LENGTH } from './password-policy.ts';
export { canReceiveTokens, namesTaken, type RenamedToken, renamesForTransfer } from './token-transfer.ts';
export { ROLES, type Role, type User, type UserId } from './user.ts';
export type { StrayEmail, TransferTargetNotFit, UserRepository } from './user-repository.ts';
