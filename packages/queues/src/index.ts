export * from './coalesced-reads.ts';
export * from './fair-queue.ts';
export * from './turn-order.ts';
