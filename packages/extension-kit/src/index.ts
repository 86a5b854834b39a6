export type { ExtensionPorts } from './domain/index.ts';
export * from './extension.ts';
export type { Guard } from './guard.ts';
export type { HappenedEvent, Reaction, ReactionTools } from './reaction.ts';
export * from './refusals.ts';
