export { createCoalescedReads } from './coalesced-reads.ts';
export {
  type Admitted,
  createFairQueue,
  type FairQueueLimits,
  type NoPlaceInQueue,
  type WaitOptions,
} from './fair-queue.ts';
export { createTurnOrder } from './turn-order.ts';
