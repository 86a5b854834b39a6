export * from './break-glass.ts';
export * from './mark-users.ts';
export * from './may-use-password.ts';
export * from './open-passwords.ts';
