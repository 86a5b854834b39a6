export * from './end-user-sessions.ts';
export * from './find-session.ts';
export * from './open-session.ts';
export * from './own-password.ts';
export * from './own-sessions.ts';
export * from './session.ts';
export type * from './session-repository.ts';
export type * from './session-secrets.ts';
export * from './sweep-sessions.ts';
