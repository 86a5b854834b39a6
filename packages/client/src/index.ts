export type { Answer } from './answer.ts';
export { type Client, createClient } from './create-client.ts';
export { RequestFailed, UnexpectedAnswer } from './errors.ts';
export type { ExpiringToken, OnExpiresSoon } from './expires-soon.ts';
export type * from './operations.ts';
export type { CallOptions, ClientOptions } from './options.ts';
