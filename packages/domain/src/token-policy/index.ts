export * from './apply-token-policy.ts';
export * from './change-token-rules.ts';
export * from './count-tokens-over-policy.ts';
export * from './set-token-floor.ts';
export * from './set-token-policy.ts';
export * from './show-token-policy.ts';
export * from './token-limit.ts';
export type * from './token-policies.ts';
export * from './token-policy.ts';
