import type { Page } from 'playwright-core';
import type { Person, World } from '../../index.ts';

/**
 * The maximum size of the reference in bytes, uncompressed, with style and scripts: it has the whole API on one page.
 */
export const MAX_REFERENCE_SIZE = 160_000;

/** A name of several words, and one of a word that fits no line. */
export const LONG = `${'Long '.repeat(19)}${'w'.repeat(100)}`;

/** An admin of another account, whose only token was revoked. */
export const RETURNING: Person = { email: 'ivy@initech.example', password: 'the phrase of Ivy' };

/** An admin of an account whose rules demand networks and a short lifetime, and whose token breaks them. */
export const STRICT: Person = { email: 'kim@hooli.example', password: 'the phrase of Kim' };

export type Who = 'visitor' | 'admin' | 'member' | 'beginner' | 'returning' | 'strict';

/** The ids of what was stored before the first state. */
export interface Made {
  /** A token with a long name. */
  readonly long: string;
  /** A token that was used, and refused from several addresses. */
  readonly used: string;
  /** A token with report-only networks that breaks the rules of its account. */
  readonly wide: string;
  /** The ids of users of Acme: the admin, the member, and a disabled user. */
  readonly admin: number;
  readonly member: number;
  readonly gone: number;
  /** The ids of service accounts of Acme: one with a long name and a token, and one without a responsible admin. */
  readonly robot: number;
  readonly orphan: number;
  /** The ids of webhooks of Acme: one with a long description and attempts, and one that is disabled. */
  readonly tried: number;
  readonly disabled: number;
}

/** A page as a person meets it. */
export interface State<W = World, M = Made> {
  readonly name: string;
  readonly who: Who;
  readonly path: (made: M) => string;
  readonly status?: number;
  readonly maxSize?: number;
  /** Prepares the state before the page is opened. */
  readonly before?: (world: W) => Promise<void>;
  /** Goes on from the page to another one, before the answer that is looked at is sent. */
  readonly earlier?: (page: Page, world: W) => Promise<void>;
  /** The path of the answer that is looked at, if redirects and pages that lead on come before it. */
  readonly from?: string;
  /** Sends a form of the page, and returns when it is sent. */
  readonly send?: (page: Page, world: W) => Promise<void>;
}

/** Sends the form of this button unchanged, without the browser's own checks. */
export async function press(page: Page, button: string): Promise<void> {
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  await page.getByRole('button', { name: button }).first().click();
}

export const at = (path: string) => () => path;
