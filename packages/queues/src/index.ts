export { createCoalescedReads } from './coalesced-reads.ts';
export {
  type Admitted,
  createFairQueue,
  type FairQueue,
  type FairQueueLimits,
  type NoPlaceInQueue,
  type WaitOptions,
} from './fair-queue.ts';
export { createTurnOrder, type TurnOrder } from './turn-order.ts';
