export * from './advance-reaction.ts';
export type { DeliveryOutcome, Within } from './deliver.ts';
export * from './manage-reactions.ts';
export * from './reaction.ts';
export type * from './reaction-repository.ts';
export * from './run-reaction.ts';
export { lastSealedPosition, sealedEventsAfter, waitsSince } from './sealed-events.ts';
