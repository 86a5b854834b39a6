export type { Argon2, Argon2Parameters } from './argon2.ts';
export { type Argon2Options, createArgon2PasswordHasher } from './argon2-password-hasher.ts';
export { createHashingThreads } from './hashing-threads.ts';
