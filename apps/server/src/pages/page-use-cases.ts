import type { UseCases } from '@gatehouse/installation';
import type { SessionUseCases } from '../sessions/session-use-cases.ts';

/** What pages can call; each names those that it does. They read the database and no cache: what a page shows is true. */
export type PageUseCases = UseCases & SessionUseCases;
