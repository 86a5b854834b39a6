export {
  type Argon2Options,
  type Argon2Parameters,
  createArgon2PasswordHasher,
} from './argon2-password-hasher.ts';
