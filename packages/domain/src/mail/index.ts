export * from './held-notices.ts';
export type * from './mail-links.ts';
export * from './mail-reaction.ts';
export * from './mailer.ts';
export * from './notice-kinds.ts';
export * from './notice-preferences.ts';
export * from './recipients.ts';
export * from './send-digests.ts';
export * from './send-test-mail.ts';
