import type { UseCases } from './use-cases.ts';

/** The use cases on a database that is open, and closed with them. */
export type Gatehouse = UseCases & AsyncDisposable;
